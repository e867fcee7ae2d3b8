// A disk that fails, for tests of what is left then: to be loaded with LD_PRELOAD. WEFT_FAULT=KIND:N fails the N-th
// operation that changes a regular file or its folder: write, pwrite, writev, fsync, rename, unlink, ftruncate.
//   enospc, eio   this and all later ones fail
//   eintr         this one fails once
//   short         this write and all later ones take a part of what they are given, at least a byte
//   kill          the process is killed before it
// Where WEFT_FAULT_MARK names a file, it is created when the operation is reached.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { NONE, ENOSPC_KIND, EIO_KIND, EINTR_KIND, SHORT_KIND, KILL_KIND };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static enum kind wanted = NONE;
static long wanted_number = 0;
static long number = 0;

__attribute__((constructor)) static void read_wish(void) {
  static const char* const names[] = {"enospc:", "eio:", "eintr:", "short:", "kill:"};
  const char* wish = getenv("WEFT_FAULT");
  for (int k = 0; wish != NULL && k < 5; ++k)
    if (strncmp(wish, names[k], strlen(names[k])) == 0) {
      wanted = (enum kind)(k + 1);
      wanted_number = atol(wish + strlen(names[k]));
    }
}

// What is to happen to this operation.
static enum kind next_operation(void) {
  enum kind result = NONE;
  pthread_mutex_lock(&lock);
  ++number;
  if (wanted != NONE && number >= wanted_number && (wanted != EINTR_KIND || number == wanted_number)) result = wanted;
  if (result != NONE && number == wanted_number) {
    const char* mark = getenv("WEFT_FAULT_MARK");
    if (mark != NULL) close((int)syscall(SYS_openat, AT_FDCWD, mark, O_CREAT | O_WRONLY | O_CLOEXEC, 0644));
  }
  pthread_mutex_unlock(&lock);
  if (result == KILL_KIND) syscall(SYS_kill, getpid(), SIGKILL);
  return result;
}

static int is_file(int descriptor) {
  struct stat info;
  return fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode);
}

// 0 where the operation is to be done, else the error.
static int failure(enum kind kind) {
  return kind == ENOSPC_KIND ? ENOSPC : kind == EIO_KIND ? EIO : kind == EINTR_KIND ? EINTR : 0;
}

#define FAIL_OR(kind, done)         \
  do {                              \
    const int code = failure(kind); \
    if (code == 0) return done;     \
    errno = code;                   \
    return -1;                      \
  } while (0)

static size_t part_of(enum kind kind, size_t size) {
  return kind == SHORT_KIND && size > 1 ? (size + 2) / 3 : size;
}

ssize_t write(int descriptor, const void* data, size_t size) {
  const enum kind kind = is_file(descriptor) ? next_operation() : NONE;
  FAIL_OR(kind, syscall(SYS_write, descriptor, data, part_of(kind, size)));
}

ssize_t writev(int descriptor, const struct iovec* pieces, int count) {
  const enum kind kind = is_file(descriptor) ? next_operation() : NONE;
  if (kind == SHORT_KIND && count > 0 && pieces[0].iov_len > 0) return syscall(SYS_writev, descriptor, pieces, 1);
  FAIL_OR(kind, syscall(SYS_writev, descriptor, pieces, count));
}

ssize_t pwrite(int descriptor, const void* data, size_t size, off_t offset) {
  const enum kind kind = is_file(descriptor) ? next_operation() : NONE;
  FAIL_OR(kind, syscall(SYS_pwrite64, descriptor, data, part_of(kind, size), offset));
}

ssize_t pwrite64(int descriptor, const void* data, size_t size, off_t offset) {
  return pwrite(descriptor, data, size, offset);
}

int fsync(int descriptor) {
  FAIL_OR(next_operation(), (int)syscall(SYS_fsync, descriptor));
}

int ftruncate(int descriptor, off_t size) {
  const enum kind kind = is_file(descriptor) ? next_operation() : NONE;
  FAIL_OR(kind, (int)syscall(SYS_ftruncate, descriptor, size));
}

int rename(const char* from, const char* to) {
  const enum kind kind = next_operation();
  // A rename is not interrupted.
  FAIL_OR(kind == EINTR_KIND ? NONE : kind, (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}

int unlink(const char* path) {
  const enum kind kind = next_operation();
  // A full disk lets files go, and an interrupted call is one that did not happen.
  FAIL_OR(kind == KILL_KIND ? kind : NONE, (int)syscall(SYS_unlink, path));
}
