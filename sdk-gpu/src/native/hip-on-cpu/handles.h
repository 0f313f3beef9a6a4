// Handles are addresses that are never given out twice and that nobody can read: a handle that was destroyed stays
// recognisable, and code that looks into one stops at once.
#pragma once

#include <memory>
#include <unordered_map>

namespace hipcpu {

void* newHandle();

// Live objects by handle. Not synchronised: the runtime's lock guards it.
template <typename T>
class Table {
 public:
  void* add(std::shared_ptr<T> object) {
    void* handle = newHandle();
    objects_.emplace(handle, std::move(object));
    return handle;
  }
  std::shared_ptr<T> find(const void* handle) const {
    auto found = objects_.find(handle);
    return found == objects_.end() ? nullptr : found->second;
  }
  std::shared_ptr<T> remove(const void* handle) {
    auto found = objects_.find(handle);
    if (found == objects_.end()) return nullptr;
    auto object = std::move(found->second);
    objects_.erase(found);
    return object;
  }
  size_t size() const { return objects_.size(); }
  auto begin() const { return objects_.begin(); }
  auto end() const { return objects_.end(); }

 private:
  std::unordered_map<const void*, std::shared_ptr<T>> objects_;
};

}  // namespace hipcpu
