// The caller's side of a long-running search: polling, cancellation, and locking around batches of work.
#pragma once

#include <functional>

namespace tesuji {

class SearchMonitor {
 public:
  virtual ~SearchMonitor() = default;
  // Called around each batch of simulations or positions; searches that call Python hold the GIL meanwhile.
  virtual void begin_batch() {}
  virtual void end_batch() {}
  // Called every few milliseconds by the thread that called search(), outside a batch. Returning false cancels.
  virtual bool poll() { return true; }
  // Whether simulations are slow (they call Python), so that the clock should be read after each one.
  virtual bool slow() const { return false; }
};

// A batch, as long as it exists.
class SearchBatch {
 public:
  explicit SearchBatch(SearchMonitor& monitor) : monitor_(monitor) { monitor_.begin_batch(); }
  ~SearchBatch() { monitor_.end_batch(); }
  SearchBatch(const SearchBatch&) = delete;
  SearchBatch& operator=(const SearchBatch&) = delete;

 private:
  SearchMonitor& monitor_;
};

// Asks a function whether to go on, which must outlive the monitor.
class CallbackMonitor final : public SearchMonitor {
 public:
  explicit CallbackMonitor(const std::function<bool()>& go_on) : go_on_(go_on) {}
  bool poll() override { return go_on_(); }

 private:
  const std::function<bool()>& go_on_;
};

// Ends the current batch, polls, and begins a new batch, even if poll() throws.
inline bool poll_within_batch(SearchMonitor& monitor) {
  monitor.end_batch();
  const struct Resume {
    SearchMonitor& monitor;
    ~Resume() { monitor.begin_batch(); }
  } resume{monitor};
  return monitor.poll();
}

}  // namespace tesuji
