/* A library that is loaded before libc (LD_PRELOAD) and intercepts a program's calls on files. It counts the calls that
 * write to files below one folder. Depending on the mode it kills the process, lets the call fail, waits, or records
 * the call with its data.
 *
 * SIEGE_UNDER   the folder, an absolute path without symbolic links
 * SIEGE_MODE    count | kill | torn | fail | slow | log
 * SIEGE_AT      the number of the call, from 1
 * SIEGE_TIMES   for fail: the number of calls that fail, from SIEGE_AT on
 * SIEGE_ERRNO   for fail: the error number
 * SIEGE_CALLS   the calls that count: w write, t truncate, s sync, r rename, u unlink, o open to write, m make a folder
 * SIEGE_SLEEP   for slow: microseconds for each call
 * SIEGE_OUT     the file for a letter for each call, or in mode log for a record of each
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t one_at_a_time = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_once_t begun = PTHREAD_ONCE_INIT;
static const char *under, *calls;
static char mode;
static long at, times, sleep_for, count;
static int why, out = -1;

static long number(const char *name, long otherwise) {
    const char *text = getenv(name);
    return text ? atol(text) : otherwise;
}

static void begin(void) {
    const char *text = getenv("SIEGE_MODE");
    under = getenv("SIEGE_UNDER");
    calls = getenv("SIEGE_CALLS");
    if (!calls) calls = "wtsruom";
    mode = text && under ? text[0] : 0;
    at = number("SIEGE_AT", 0);
    times = number("SIEGE_TIMES", LONG_MAX);
    why = (int)number("SIEGE_ERRNO", ENOSPC);
    sleep_for = number("SIEGE_SLEEP", 0);
    text = getenv("SIEGE_OUT");
    if (text && mode) out = (int)syscall(SYS_openat, AT_FDCWD, text, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
}

static void note(const void *bytes, size_t length) {
    if (out >= 0 && syscall(SYS_write, out, bytes, length) != (long)length) syscall(SYS_kill, getpid(), SIGABRT);
}

static void note_line(const char *format, ...) {
    char line[3 * PATH_MAX];
    va_list list;
    va_start(list, format);
    int length = vsnprintf(line, sizeof line, format, list);
    va_end(list);
    note(line, (size_t)length);
}

/* The absolute path. */
static void whole(int folder, const char *path, char *to) {
    char from[64];
    if (path[0] == '/') { snprintf(to, PATH_MAX, "%s", path); return; }
    char base[PATH_MAX] = "";
    if (folder == AT_FDCWD) { if (!getcwd(base, sizeof base)) base[0] = 0; }
    else {
        snprintf(from, sizeof from, "/proc/self/fd/%d", folder);
        ssize_t length = readlink(from, base, sizeof base - 1);
        base[length < 0 ? 0 : length] = 0;
    }
    snprintf(to, PATH_MAX, "%.2000s/%.2000s", base, path);
}

static int is_under(const char *path) { return under && !strncmp(path, under, strlen(under)); }

static int fd_is_under(int fd) {
    char from[64], path[PATH_MAX];
    snprintf(from, sizeof from, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(from, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return is_under(path);
}

/* Runs before a call of this kind. Returns 0 to make the call, 1 to let it fail, 2 to make half of it and be killed. */
static int before(char kind, int ours) {
    if (!mode || !ours || !strchr(calls, kind)) return 0;
    long mine = ++count;
    if (mode != 'l' && out >= 0) {
        note(&kind, 1);
        /* All processes share the file, so its length is the number of calls of all of them. */
        mine = (long)lseek(out, 0, SEEK_CUR);
    }
    if (mode == 's') usleep((useconds_t)sleep_for);
    if (mode == 'k' && mine == at) syscall(SYS_kill, getpid(), SIGKILL);
    if (mode == 't' && mine == at) return 2;
    if (mode == 'f' && mine >= at && mine - at < times) { errno = why; return 1; }
    return 0;
}

static unsigned long inode(int fd) {
    struct stat found;
    return fstat(fd, &found) ? 0 : (unsigned long)found.st_ino;
}

#define ENTER pthread_once(&begun, begin); pthread_mutex_lock(&one_at_a_time)
#define LEAVE(value) do { int kept = errno; pthread_mutex_unlock(&one_at_a_time); errno = kept; return value; } while (0)

static ssize_t put(int fd, const void *bytes, size_t length, off_t offset, int placed) {
    ENTER;
    int ours = mode && fd_is_under(fd);
    int what = before('w', ours);
    if (what == 1) LEAVE(-1);
    if (what == 2) {
        if (placed) syscall(SYS_pwrite64, fd, bytes, length / 2, offset); else syscall(SYS_write, fd, bytes, length / 2);
        syscall(SYS_kill, getpid(), SIGKILL);
    }
    off_t place = offset;
    if (ours && mode == 'l' && !placed) {
        struct stat found;
        place = (fcntl(fd, F_GETFL) & O_APPEND) && !fstat(fd, &found) ? found.st_size : lseek(fd, 0, SEEK_CUR);
    }
    ssize_t done = placed ? syscall(SYS_pwrite64, fd, bytes, length, offset) : syscall(SYS_write, fd, bytes, length);
    if (ours && mode == 'l' && done > 0) {
        note_line("w %lu %lld %lld\n", inode(fd), (long long)place, (long long)done);
        note(bytes, (size_t)done);
        note("\n", 1);
    }
    LEAVE(done);
}

ssize_t write(int fd, const void *bytes, size_t length) { return put(fd, bytes, length, 0, 0); }
ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) { return put(fd, bytes, length, offset, 1); }
ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) { return put(fd, bytes, length, offset, 1); }

ssize_t writev(int fd, const struct iovec *parts, int number_of_parts) {
    ssize_t all = 0;
    for (int i = 0; i < number_of_parts; i++) {
        ssize_t done = write(fd, parts[i].iov_base, parts[i].iov_len);
        if (done < 0) return all ? all : -1;
        all += done;
        if ((size_t)done < parts[i].iov_len) break;
    }
    return all;
}

static int cut(int fd, off_t length) {
    ENTER;
    int ours = mode && fd_is_under(fd), what = before('t', ours);
    if (what == 1) LEAVE(-1);
    if (what == 2) syscall(SYS_kill, getpid(), SIGKILL);
    int done = (int)syscall(SYS_ftruncate, fd, length);
    if (ours && mode == 'l' && !done) note_line("t %lu %lld\n", inode(fd), (long long)length);
    LEAVE(done);
}

int ftruncate(int fd, off_t length) { return cut(fd, length); }
int ftruncate64(int fd, off64_t length) { return cut(fd, length); }

static int sync_one(int fd, long call) {
    ENTER;
    int ours = mode && fd_is_under(fd), what = before('s', ours);
    if (what == 1) LEAVE(-1);
    if (what == 2) syscall(SYS_kill, getpid(), SIGKILL);
    /* The effect of a power cut is computed from the records, so there is no need to wait for the disk. */
    int done = mode == 'l' ? 0 : (int)syscall(call, fd);
    if (ours && mode == 'l') note_line("s %lu\n", inode(fd));
    LEAVE(done);
}

int fsync(int fd) { return sync_one(fd, SYS_fsync); }
int fdatasync(int fd) { return sync_one(fd, SYS_fdatasync); }

static int move(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
    ENTER;
    char source[PATH_MAX], target[PATH_MAX];
    whole(from_folder, from, source);
    whole(to_folder, to, target);
    int ours = mode && (is_under(source) || is_under(target)), what = before('r', ours);
    if (what == 1) LEAVE(-1);
    if (what == 2) syscall(SYS_kill, getpid(), SIGKILL);
    int done = (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
    if (ours && mode == 'l' && !done) note_line("r %s\t%s\n", source, target);
    LEAVE(done);
}

int rename(const char *from, const char *to) { return move(AT_FDCWD, from, AT_FDCWD, to, 0); }
int renameat(int one, const char *from, int two, const char *to) { return move(one, from, two, to, 0); }
int renameat2(int one, const char *from, int two, const char *to, unsigned flags) { return move(one, from, two, to, flags); }

static int drop(int folder, const char *path, int flags) {
    ENTER;
    char target[PATH_MAX];
    whole(folder, path, target);
    int ours = mode && is_under(target), what = before('u', ours);
    if (what == 1) LEAVE(-1);
    if (what == 2) syscall(SYS_kill, getpid(), SIGKILL);
    int done = (int)syscall(SYS_unlinkat, folder, path, flags);
    if (ours && mode == 'l' && !done) note_line("u %s\n", target);
    LEAVE(done);
}

int unlink(const char *path) { return drop(AT_FDCWD, path, 0); }
int unlinkat(int folder, const char *path, int flags) { return drop(folder, path, flags); }
int rmdir(const char *path) { return drop(AT_FDCWD, path, AT_REMOVEDIR); }

int mkdir(const char *path, mode_t rights) {
    ENTER;
    char target[PATH_MAX];
    whole(AT_FDCWD, path, target);
    int what = before('m', mode && is_under(target));
    if (what == 1) LEAVE(-1);
    if (what == 2) syscall(SYS_kill, getpid(), SIGKILL);
    LEAVE((int)syscall(SYS_mkdirat, AT_FDCWD, path, rights));
}

static int open_one(int folder, const char *path, int flags, mode_t rights) {
    ENTER;
    char target[PATH_MAX];
    whole(folder, path, target);
    int writes = (flags & (O_CREAT | O_TRUNC)) || (flags & O_ACCMODE) != O_RDONLY;
    int ours = mode && writes && is_under(target), what = before('o', ours);
    if (what == 1) LEAVE(-1);
    if (what == 2) syscall(SYS_kill, getpid(), SIGKILL);
    struct stat found;
    int is_new = ours && fstatat(folder, path, &found, 0) != 0;
    int fd = (int)syscall(SYS_openat, folder, path, flags, rights);
    if (ours && mode == 'l' && fd >= 0) {
        if (is_new) note_line("c %lu %s\n", inode(fd), target);
        else if (flags & O_TRUNC) note_line("t %lu 0\n", inode(fd));
    }
    LEAVE(fd);
}

#define RIGHTS mode_t rights = 0; \
    if (flags & (O_CREAT | O_TMPFILE)) { va_list list; va_start(list, flags); rights = (mode_t)va_arg(list, int); va_end(list); }
int open(const char *path, int flags, ...) { RIGHTS return open_one(AT_FDCWD, path, flags, rights); }
int open64(const char *path, int flags, ...) { RIGHTS return open_one(AT_FDCWD, path, flags, rights); }
int openat(int folder, const char *path, int flags, ...) { RIGHTS return open_one(folder, path, flags, rights); }
int openat64(int folder, const char *path, int flags, ...) { RIGHTS return open_one(folder, path, flags, rights); }

/* The library cannot see copies within the kernel. They fail with ENOSYS, so that programs read and write instead. */
ssize_t copy_file_range(int from, off64_t *a, int to, off64_t *b, size_t length, unsigned flags) {
    (void)from; (void)a; (void)to; (void)b; (void)length; (void)flags;
    errno = ENOSYS;
    return -1;
}
ssize_t sendfile64(int to, int from, off64_t *offset, size_t length) {
    (void)to; (void)from; (void)offset; (void)length;
    errno = ENOSYS;
    return -1;
}
ssize_t sendfile(int to, int from, off_t *offset, size_t length) { return sendfile64(to, from, offset, length); }
