#pragma once

#include <map>
#include <memory>
#include <mutex>

namespace millrace {

/**
 * The objects behind a library's opaque handles. A handle is looked up, never dereferenced: one
 * that was destroyed is an answer, no crash. Whoever found an object keeps it until it is done.
 */
template <class Handle, class Object> class LiveHandles {
public:
  Handle add(std::shared_ptr<Object> object) {
    std::lock_guard lock(mutex);
    auto handle = reinterpret_cast<Handle>(object.get());
    live.emplace(handle, std::move(object));
    return handle;
  }

  std::shared_ptr<Object> find(Handle handle) const {
    std::lock_guard lock(mutex);
    auto entry = live.find(handle);
    return entry == live.end() ? nullptr : entry->second;
  }

  /** The object, which is no longer found; null where the handle was not live. */
  std::shared_ptr<Object> remove(Handle handle) {
    std::lock_guard lock(mutex);
    auto node = live.extract(handle);
    return node ? node.mapped() : nullptr;
  }

  /** The process's table of these handles. Never destroyed: other destructors may still use it. */
  static LiveHandles& instance() {
    static LiveHandles& handles = *new LiveHandles;
    return handles;
  }

private:
  mutable std::mutex mutex;
  std::map<Handle, std::shared_ptr<Object>> live;
};

} // namespace millrace
