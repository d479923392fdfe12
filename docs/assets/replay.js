// Steps through a recorded game: buttons, a slider and the arrow keys. Without JavaScript the last position stays.
function openReplay(figure) {
  const steps = JSON.parse(figure.dataset.steps);
  const image = figure.querySelector("img");
  const folder = image.src.slice(0, image.src.lastIndexOf("/"));
  const address = (ply) => `${folder}/${String(ply).padStart(2, "0")}.svg`;
  for (let ply = 0; ply < steps.length; ply++) new Image().src = address(ply);

  const controls = document.createElement("div");
  controls.className = "replay-controls";
  const slider = Object.assign(document.createElement("input"), { type: "range", min: 0, max: steps.length - 1 });
  slider.setAttribute("aria-label", "Move number");
  const told = document.createElement("output");
  const button = (label, text, step) => {
    const made = Object.assign(document.createElement("button"), { type: "button", textContent: text });
    made.setAttribute("aria-label", label);
    made.addEventListener("click", () => show(step()));
    return made;
  };
  let ply = steps.length - 1;
  function show(wanted) {
    ply = Math.max(0, Math.min(steps.length - 1, wanted));
    const { move, value } = steps[ply];
    image.src = address(ply);
    image.alt = `Position after move ${ply + 1}, ${move}`;
    slider.value = ply;
    const side = ply % 2 === 0 ? "Black" : "White";
    const chance = value === null ? "" : ` · Black wins ${Math.round(100 * value)} %`;
    told.textContent = `${ply + 1}. ${side} ${move}${chance}`;
  }
  slider.addEventListener("input", () => show(Number(slider.value)));
  figure.addEventListener("keydown", (event) => {
    const steps = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!steps || event.target === slider) return;
    event.preventDefault();
    show(ply + steps);
  });
  controls.append(
    button("First move", "|◀", () => 0),
    button("Previous move", "◀", () => ply - 1),
    slider,
    button("Next move", "▶", () => ply + 1),
    button("Last move", "▶|", () => steps.length - 1),
  );
  image.after(controls, told);
  show(0);
}

document.querySelectorAll("figure.replay").forEach(openReplay);
