// What a search needs from whoever runs it.
#pragma once

namespace tesuji {

// Python games hold the interpreter's lock for a batch of simulations or positions.
class Host {
 public:
  virtual ~Host() = default;
  virtual void begin_batch() {}
  virtual void end_batch() {}
  // Called by the thread that called search(), every few milliseconds, outside a batch. False cancels.
  virtual bool poll() { return true; }
  // Simulations are slow, so that the clock is read after each.
  virtual bool slow() const { return false; }
};

// poll() from within a batch, which goes on afterwards, also where poll() throws.
inline bool poll_within_batch(Host& host) {
  host.end_batch();
  const struct Resume {
    Host& host;
    ~Resume() { host.begin_batch(); }
  } resume{host};
  return host.poll();
}

}  // namespace tesuji
