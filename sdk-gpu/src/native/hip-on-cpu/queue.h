// A first-in first-out line of tasks, served by a thread that is made when there is work and goes when there is none.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

namespace hipcpu {

class Queue : public std::enable_shared_from_this<Queue> {
 public:
  using Task = std::function<void()>;

  // Returns the task's number: 1 for the first, growing by one.
  uint64_t submit(Task task);
  uint64_t last() const;
  bool finished(uint64_t number) const;
  void await(uint64_t number);

 private:
  void serve();

  mutable std::mutex lock_;
  std::condition_variable work_, progress_;
  std::deque<Task> tasks_;
  uint64_t submitted_ = 0, finished_ = 0;
  bool served_ = false;
};

// A place in a queue. The empty point is always done.
struct Point {
  std::shared_ptr<Queue> queue;
  uint64_t number = 0;
  bool done() const { return queue == nullptr || queue->finished(number); }
  void await() const {
    if (queue != nullptr) queue->await(number);
  }
};

}  // namespace hipcpu
