/*
 * Makes the threads of an unmodified server as slow as those of a slower core, for tests on machines
 * whose clocks cannot be set. Preloaded into the server:
 *
 *   gcc -shared -fPIC -O2 -o dilate.so dilate.c -ldl -lpthread
 *   CALANDO_DILATE=/a/folder LD_PRELOAD=/path/dilate.so redis-server ...
 *
 * A thread that has used c nanoseconds of CPU since it last came here spins for (k - 1) c more before
 * it waits for events or sends anything, so that nothing leaves it earlier than k times the work
 * would let it, but for the time of a look at the clock. The spinning is CPU time of the thread, as slower work would be; time for which the
 * thread is not on a core counts for nothing, so other load does not change the slowdown.
 *
 * k is read at each call from the file PID in the folder, which others write and which is made with
 * k = 1; see struct page. It differs by kinds of threads, as Redis and Valkey name theirs.
 *
 * What it does not slow: work between two calls is slowed in one piece at its end, so what others see
 * meanwhile in memory comes early; and threads that only work for others and neither wait for events
 * nor send (bio_*) are slowed at their writes alone.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum kind { MAIN, IO, BIO, OTHER, KINDS };

/* The file; all in the machine's byte order. Counters are the server's, factors are others'. */
struct page {
  uint64_t magic;
  volatile double factor[KINDS];
  uint64_t used_ns[KINDS]; /* CPU time but for spinning */
  uint64_t spun_ns[KINDS];
};

#define MAGIC 0x31457461746c6944ull
#define GREATEST 64.0

static struct page *page;
static __thread int kind = -1;
static __thread uint64_t last_ns;
static __thread uint64_t ahead_ns; /* spun beyond what was asked: a look at the clock takes a while */

static uint64_t cpu_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (uint64_t)now.tv_sec * 1000000000ull + (uint64_t)now.tv_nsec;
}

static int kind_of_this(void) {
  char name[17] = {0};
  if (syscall(SYS_gettid) == getpid()) {
    return MAIN;
  }
  prctl(PR_GET_NAME, name);
  if (strncmp(name, "io_thd_", 7) == 0) {
    return IO;
  }
  return strncmp(name, "bio_", 4) == 0 ? BIO : OTHER;
}

static void in_child(void) {
  kind = -1;
}

__attribute__((constructor)) static void begin(void) {
  const char *folder = getenv("CALANDO_DILATE");
  char path[4096];
  if (folder == NULL || snprintf(path, sizeof path, "%s/%d", folder, getpid()) >= (int)sizeof path) {
    return;
  }
  int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) {
    perror(path);
    return;
  }
  if (ftruncate(file, sizeof(struct page)) == 0) {
    void *mapped = mmap(NULL, sizeof(struct page), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped != MAP_FAILED) {
      struct page *made = mapped;
      for (int i = 0; i < KINDS; i++) {
        made->factor[i] = 1;
      }
      __atomic_store_n(&made->magic, MAGIC, __ATOMIC_RELEASE);
      page = made;
      pthread_atfork(NULL, NULL, in_child);
    }
  }
  close(file);
}

/* Leaves the rest of the core to another thread of it, which a slow core would not slow either. */
static void relax(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield" ::: "memory");
#else
  __asm__ volatile("" ::: "memory");
#endif
}

static void dilate(void) {
  if (page == NULL) {
    return;
  }
  uint64_t now = cpu_ns();
  if (kind < 0) {
    kind = kind_of_this();
    last_ns = now;
    return;
  }
  uint64_t used = now - last_ns;
  double factor = page->factor[kind];
  uint64_t end = now;
  if (factor > 1 && factor <= GREATEST) {
    uint64_t owed = (uint64_t)((factor - 1) * (double)used);
    uint64_t credit = ahead_ns < owed ? ahead_ns : owed;
    uint64_t target = now + owed - credit;
    while (end < target) {
      for (int i = 0; i < 4; i++) {
        relax();
      }
      end = cpu_ns();
    }
    /* Where the clock is slow to read, most spins are too long; the next is shorter for it. */
    ahead_ns += end - now - (owed - credit);
    ahead_ns -= credit;
    __atomic_fetch_add(&page->spun_ns[kind], end - now, __ATOMIC_RELAXED);
  }
  __atomic_fetch_add(&page->used_ns[kind], used, __ATOMIC_RELAXED);
  last_ns = end;
}

#define REAL(type, name, arguments)                     \
  static type(*real) arguments;                         \
  if (real == NULL) {                                   \
    *(void **)&real = dlsym(RTLD_NEXT, #name);          \
  }                                                     \
  dilate()

int epoll_wait(int queue, struct epoll_event *events, int most, int timeout) {
  REAL(int, epoll_wait, (int, struct epoll_event *, int, int));
  return real(queue, events, most, timeout);
}

int epoll_pwait(int queue, struct epoll_event *events, int most, int timeout, const sigset_t *mask) {
  REAL(int, epoll_pwait, (int, struct epoll_event *, int, int, const sigset_t *));
  return real(queue, events, most, timeout, mask);
}

ssize_t write(int file, const void *bytes, size_t count) {
  REAL(ssize_t, write, (int, const void *, size_t));
  return real(file, bytes, count);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
  REAL(ssize_t, writev, (int, const struct iovec *, int));
  return real(file, parts, count);
}

ssize_t send(int socket, const void *bytes, size_t count, int flags) {
  REAL(ssize_t, send, (int, const void *, size_t, int));
  return real(socket, bytes, count, flags);
}

ssize_t sendto(int socket, const void *bytes, size_t count, int flags,
               const struct sockaddr *to, socklen_t length) {
  REAL(ssize_t, sendto, (int, const void *, size_t, int, const struct sockaddr *, socklen_t));
  return real(socket, bytes, count, flags, to, length);
}

ssize_t sendmsg(int socket, const struct msghdr *message, int flags) {
  REAL(ssize_t, sendmsg, (int, const struct msghdr *, int));
  return real(socket, message, flags);
}
