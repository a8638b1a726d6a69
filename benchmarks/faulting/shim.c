/* Loaded into every process of a command (LD_PRELOAD), it numbers what is written below one folder and lets the
 * n-th of these writes go wrong. A write is whatever changes the folder: a file opened for writing, bytes, a name,
 * a flush. The environment says what is to happen:
 *
 *   FAULT_FOLDER  what counts
 *   FAULT_STATE   a file of zeros that all processes map: the number of writes so far, whether the fault came, groups
 *   FAULT_LOG     a file that gets a line for each write: number, process, what, path
 *   FAULT_AT      the number n
 *   FAULT_KIND    nothing: count only
 *                 alone, all: the process, or all of them, end by SIGKILL, of bytes with half of them written
 *                 ENOSPC, EROFS, ENOLCK: from n on such calls fail with it; no call but of locks for ENOLCK
 *                 clock: from n on the time, and that of files, is FAULT_SHIFT seconds off
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define GROUPS 64
struct state {
    atomic_long count, fired;
    atomic_int groups[GROUPS];
};
static struct state *shared;
static char folder[PATH_MAX];
static size_t folder_length;
static int log_to = -1, error_number, kills, kills_all, shifts;
static long at, shift;

/* What a call does, as far as a full disk and a read-only one see a difference. */
enum { BYTES = 1, NAME = 2, OPEN = 4, FLUSH = 8 };

/* Read the environment: at a process's start, and once more where a fork has been given another. */
__attribute__((constructor)) void fault_begin(void) {
    const char *place = getenv("FAULT_FOLDER"), *state = getenv("FAULT_STATE"), *log = getenv("FAULT_LOG");
    const char *kind = getenv("FAULT_KIND"), *number = getenv("FAULT_AT"), *seconds = getenv("FAULT_SHIFT");
    if (!place || !state) return;
    int handle = syscall(SYS_openat, AT_FDCWD, state, O_RDWR | O_CLOEXEC);
    if (handle < 0) return;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, handle, 0);
    syscall(SYS_close, handle);
    if (shared == MAP_FAILED) { shared = NULL; return; }
    folder_length = (size_t)snprintf(folder, sizeof folder, "%s", place);
    if (log) log_to = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    at = number ? atol(number) : 0;
    shift = seconds ? atol(seconds) : 0;
    if (!kind) return;
    kills = !strcmp(kind, "alone") || !strcmp(kind, "all");
    kills_all = !strcmp(kind, "all");
    shifts = !strcmp(kind, "clock");
    error_number = !strcmp(kind, "ENOSPC") ? ENOSPC : !strcmp(kind, "EROFS") ? EROFS : !strcmp(kind, "ENOLCK") ? ENOLCK : 0;
}

static int below(const char *path) {
    return !strncmp(path, folder, folder_length) && (path[folder_length] == '/' || !path[folder_length]);
}

/* The whole path of a name; NULL where it does not count. */
static const char *named(int from, const char *path, char *out) {
    if (!shared || !path) return NULL;
    if (path[0] == '/') return below(path) ? path : NULL;
    char link[64];
    snprintf(link, sizeof link, from == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", from);
    ssize_t n = readlink(link, out, PATH_MAX - 1);
    if (n <= 0 || n + strlen(path) + 2 > PATH_MAX) return NULL;
    out[n] = '/';
    strcpy(out + n + 1, path);
    return below(out) ? out : NULL;
}

static const char *opened(int handle, char *out) {
    if (!shared) return NULL;
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", handle);
    ssize_t n = readlink(link, out, PATH_MAX - 1);
    if (n <= 0) return NULL;
    out[n] = 0;
    return below(out) ? out : NULL;
}

static void end_now(void) {
    for (int i = 0; kills_all && i < GROUPS; i++) {
        int group = atomic_load(&shared->groups[i]);
        if (group && group != getpgrp()) kill(-group, SIGKILL);
    }
    kill(kills_all ? 0 : getpid(), SIGKILL);
    for (;;) pause();
}

/* Count a write. 0: go on; an errno: fail with it; -1: this process ends here, once it has written half. */
static int count(const char *what, const char *path, int does) {
    int group = getpgrp();
    for (int i = 0; i < GROUPS; i++) {
        int none = 0;
        if (atomic_load(&shared->groups[i]) == group) break;
        if (atomic_compare_exchange_strong(&shared->groups[i], &none, group)) break;
    }
    long n = atomic_fetch_add(&shared->count, 1) + 1;
    char line[PATH_MAX + 80];
    int length = snprintf(line, sizeof line, "%ld\t%d\t%s\t%s\n", n, getpid(), what, path + folder_length);
    if (log_to >= 0 && length < (int)sizeof line && syscall(SYS_write, log_to, line, length) < 0) log_to = -1;
    if (kills && n == at) {
        atomic_store(&shared->fired, n);
        if (does & BYTES) return -1;
        end_now();
    }
    if (!at || n < at) return 0;
    int fails = error_number == ENOSPC ? !(does & OPEN) && strcmp(what, "unlink") && strcmp(what, "rename") :
                error_number == EROFS ? !(does & FLUSH) : 0;
    if (fails || shifts) atomic_store(&shared->fired, n);
    return fails ? error_number : 0;
}

static void retime(int handle, const char *path) {
    if (!shifts || !at || atomic_load(&shared->count) < at) return;
    struct timespec now[2];
    syscall(SYS_clock_gettime, CLOCK_REALTIME, &now[0]);
    now[0].tv_sec += shift;
    now[1] = now[0];
    syscall(SYS_utimensat, path ? AT_FDCWD : handle, path, now, 0);
}

#define REAL(type, name, ...) \
    static type (*real)(__VA_ARGS__); \
    if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

/* Bytes: LENGTH of them; HALF writes the first half. */
#define WRITES(handle, does, HALF) \
    char place[PATH_MAX]; \
    int kept = errno; \
    const char *path = opened(handle, place); \
    if (path) { \
        int wrong = count(does, path, BYTES); \
        if (wrong < 0) { HALF; end_now(); } \
        if (wrong) { errno = wrong; return -1; } \
    } \
    errno = kept

ssize_t write(int handle, const void *bytes, size_t n) {
    WRITES(handle, "write", (void)!syscall(SYS_write, handle, bytes, n / 2));
    ssize_t done = syscall(SYS_write, handle, bytes, n);
    if (path && done >= 0) retime(handle, NULL);
    return done;
}

#define PWRITE(name) \
    ssize_t name(int handle, const void *bytes, size_t n, off_t from) { \
        WRITES(handle, "write", (void)!syscall(SYS_pwrite64, handle, bytes, n / 2, from)); \
        ssize_t done = syscall(SYS_pwrite64, handle, bytes, n, from); \
        if (path && done >= 0) retime(handle, NULL); \
        return done; \
    }
PWRITE(pwrite)
PWRITE(pwrite64)

ssize_t writev(int handle, const struct iovec *pieces, int n) {
    WRITES(handle, "write", (void)!syscall(SYS_writev, handle, pieces, n / 2));
    ssize_t done = syscall(SYS_writev, handle, pieces, n);
    if (path && done >= 0) retime(handle, NULL);
    return done;
}

#define SENDFILE(name) \
    ssize_t name(int to, int from, off_t *start, size_t n) { \
        WRITES(to, "write", (void)!syscall(SYS_sendfile, to, from, start, 1)); \
        ssize_t done = syscall(SYS_sendfile, to, from, start, n); \
        if (path && done >= 0) retime(to, NULL); \
        return done; \
    }
SENDFILE(sendfile)
SENDFILE(sendfile64)

ssize_t copy_file_range(int from, off_t *start, int to, off_t *there, size_t n, unsigned flags) {
    WRITES(to, "write", (void)!syscall(SYS_copy_file_range, from, start, to, there, 1, flags));
    ssize_t done = syscall(SYS_copy_file_range, from, start, to, there, n, flags);
    if (path && done >= 0) retime(to, NULL);
    return done;
}

#define ON_HANDLE(name, DECLARED, GIVEN, does, what) \
    int name DECLARED { \
        char place[PATH_MAX]; \
        const char *path = opened(handle, place); \
        int wrong = path ? count(what, path, does) : 0; \
        if (wrong > 0) { errno = wrong; return -1; } \
        return syscall GIVEN; \
    }
ON_HANDLE(fsync, (int handle), (SYS_fsync, handle), FLUSH, "flush")
ON_HANDLE(fdatasync, (int handle), (SYS_fdatasync, handle), FLUSH, "flush")
ON_HANDLE(ftruncate, (int handle, off_t n), (SYS_ftruncate, handle, n), NAME, "cut")
ON_HANDLE(ftruncate64, (int handle, off_t n), (SYS_ftruncate, handle, n), NAME, "cut")

/* A folder that is there is not made again, and what is not there not taken away: these are no writes. */
static int idle(const char *what, const char *path) {
    int kept = errno, there = !syscall(SYS_faccessat, AT_FDCWD, path, F_OK) || errno != ENOENT;
    errno = kept;
    return !strcmp(what, "mkdir") ? there : !strcmp(what, "unlink") && !there;
}

#define ON_NAME(name, DECLARED, from, given, GIVEN, what) \
    int name DECLARED { \
        char place[PATH_MAX]; \
        const char *path = named(from, given, place); \
        int wrong = path && !idle(what, path) ? count(what, path, NAME) : 0; \
        if (wrong > 0) { errno = wrong; return -1; } \
        int done = syscall GIVEN; \
        return done; \
    }
ON_NAME(mkdir, (const char *one, mode_t mode), AT_FDCWD, one, (SYS_mkdirat, AT_FDCWD, one, mode), "mkdir")
ON_NAME(mkdirat, (int from, const char *one, mode_t mode), from, one, (SYS_mkdirat, from, one, mode), "mkdir")
ON_NAME(rmdir, (const char *one), AT_FDCWD, one, (SYS_unlinkat, AT_FDCWD, one, AT_REMOVEDIR), "unlink")
ON_NAME(unlink, (const char *one), AT_FDCWD, one, (SYS_unlinkat, AT_FDCWD, one, 0), "unlink")
ON_NAME(unlinkat, (int from, const char *one, int flags), from, one, (SYS_unlinkat, from, one, flags), "unlink")
ON_NAME(symlink, (const char *to, const char *one), AT_FDCWD, one, (SYS_symlinkat, to, AT_FDCWD, one), "link")
ON_NAME(link, (const char *old, const char *one), AT_FDCWD, one, (SYS_linkat, AT_FDCWD, old, AT_FDCWD, one, 0), "link")
ON_NAME(rename, (const char *old, const char *one), AT_FDCWD, one,
        (SYS_renameat2, AT_FDCWD, old, AT_FDCWD, one, 0), "rename")
ON_NAME(renameat, (int from, const char *old, int to, const char *one), to, one,
        (SYS_renameat2, from, old, to, one, 0), "rename")

static int open_at(int from, const char *one, int flags, mode_t mode) {
    char place[PATH_MAX];
    int writes = (flags & O_ACCMODE) != O_RDONLY || flags & (O_CREAT | O_TRUNC);
    const char *path = writes ? named(from, one, place) : NULL;
    int wrong = path ? count("open", path, OPEN) : 0;
    if (wrong > 0) { errno = wrong; return -1; }
    int handle = syscall(SYS_openat, from, one, flags, mode);
    if (path && handle >= 0 && flags & (O_CREAT | O_TRUNC)) retime(handle, NULL);
    return handle;
}

#define OPEN_AS(name, DECLARED, from, more) \
    int name DECLARED { \
        mode_t mode = 0; \
        if (flags & (O_CREAT | O_TMPFILE)) { \
            va_list rest; \
            va_start(rest, flags); \
            mode = va_arg(rest, mode_t); \
            va_end(rest); \
        } \
        return open_at(from, one, flags | more, mode); \
    }
OPEN_AS(open, (const char *one, int flags, ...), AT_FDCWD, 0)
OPEN_AS(open64, (const char *one, int flags, ...), AT_FDCWD, O_LARGEFILE)
OPEN_AS(openat, (int from, const char *one, int flags, ...), from, 0)
OPEN_AS(openat64, (int from, const char *one, int flags, ...), from, O_LARGEFILE)
int creat(const char *one, mode_t mode) { return open_at(AT_FDCWD, one, O_CREAT | O_WRONLY | O_TRUNC, mode); }

/* The C library's own streams write without a call that can be seen: opening them counts. */
#define FOPEN(name) \
    FILE *name(const char *one, const char *mode) { \
        REAL(FILE *, name, const char *, const char *); \
        char place[PATH_MAX]; \
        const char *path = strpbrk(mode, "wa+") ? named(AT_FDCWD, one, place) : NULL; \
        int wrong = path ? count("open", path, OPEN) : 0; \
        if (wrong > 0) { errno = wrong; return NULL; } \
        return real(one, mode); \
    }
FOPEN(fopen)
FOPEN(fopen64)

static int no_locks(int handle) {
    char place[PATH_MAX];
    if (!shared || error_number != ENOLCK || !opened(handle, place)) return 0;
    atomic_fetch_add(&shared->fired, 1);
    errno = ENOLCK;
    return 1;
}
int flock(int handle, int how) { return no_locks(handle) ? -1 : syscall(SYS_flock, handle, how); }

#define FCNTL(name) \
    int name(int handle, int what, ...) { \
        va_list rest; \
        va_start(rest, what); \
        void *more = va_arg(rest, void *); \
        va_end(rest); \
        int locks = what == F_SETLK || what == F_SETLKW || what == F_OFD_SETLK || what == F_OFD_SETLKW; \
        if (locks && no_locks(handle)) return -1; \
        REAL(int, name, int, int, ...); \
        return real(handle, what, more); \
    }
FCNTL(fcntl)
FCNTL(fcntl64)

static long off(void) { return shared && shifts && at && atomic_load(&shared->count) >= at ? shift : 0; }
int clock_gettime(clockid_t which, struct timespec *now) {
    REAL(int, clock_gettime, clockid_t, struct timespec *);
    int done = real(which, now);
    if (!done && (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE)) now->tv_sec += off();
    return done;
}
int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    (void)zone;
    struct timespec found;
    int done = clock_gettime(CLOCK_REALTIME, &found);
    now->tv_sec = found.tv_sec;
    now->tv_usec = found.tv_nsec / 1000;
    return done;
}
time_t time(time_t *out) {
    struct timespec found;
    clock_gettime(CLOCK_REALTIME, &found);
    if (out) *out = found.tv_sec;
    return found.tv_sec;
}
