/** The click of a stone, synthesised in the browser; off by default. */

const KEY = "tesuji-sound";
let context = null;

export const soundOn = () => localStorage.getItem(KEY) === "on";

/** @param {boolean} on @returns {boolean} */
export function setSound(on) {
  localStorage.setItem(KEY, on ? "on" : "off");
  if (on) click();
  return on;
}

/** A burst of noise through a narrow bandpass filter. */
export function click() {
  if (!soundOn()) return;
  context ??= new AudioContext();
  const length = Math.round(context.sampleRate * 0.06);
  const noise = context.createBuffer(1, length, context.sampleRate);
  const samples = noise.getChannelData(0);
  for (let at = 0; at < length; at += 1) samples[at] = (Math.random() * 2 - 1) * Math.exp((-9 * at) / length);
  const source = new AudioBufferSourceNode(context, { buffer: noise });
  const wood = new BiquadFilterNode(context, { type: "bandpass", frequency: 1150, Q: 5 });
  const volume = new GainNode(context, { gain: 0.9 });
  source.connect(wood).connect(volume).connect(context.destination);
  source.start();
}
