#include "queue.h"

#include <chrono>
#include <thread>

namespace hipcpu {

// Long enough that a stream in steady use keeps its thread, short enough that a thousand idle streams have none.
constexpr auto kPatience = std::chrono::milliseconds(100);

uint64_t Queue::submit(Task task) {
  std::lock_guard held(lock_);
  tasks_.push_back(std::move(task));
  if (served_) {
    work_.notify_one();
  } else {
    std::thread([self = shared_from_this()] { self->serve(); }).detach();
    served_ = true;
  }
  return ++submitted_;
}

uint64_t Queue::last() const {
  std::lock_guard held(lock_);
  return submitted_;
}

bool Queue::finished(uint64_t number) const {
  std::lock_guard held(lock_);
  return finished_ >= number;
}

void Queue::await(uint64_t number) {
  std::unique_lock held(lock_);
  progress_.wait(held, [&] { return finished_ >= number; });
}

void Queue::serve() {
  std::unique_lock held(lock_);
  while (work_.wait_until(held, std::chrono::system_clock::now() + kPatience, [&] { return !tasks_.empty(); })) {
    Task task = std::move(tasks_.front());
    tasks_.pop_front();
    held.unlock();
    task();
    task = nullptr;  // what it held is given back before anybody sees it finished
    held.lock();
    ++finished_;
    progress_.notify_all();
  }
  served_ = false;
}

}  // namespace hipcpu
