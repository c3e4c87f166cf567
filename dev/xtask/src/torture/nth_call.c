/* Runs a command and does something to it at its n-th change to the files of a folder: lets that call fail, or sends a signal.
 *
 *   nth_call FOLDER REPORT N error NUMBER COMMAND...     the n-th call fails with this error number, and nothing is done
 *   nth_call FOLDER REPORT N signal NUMBER COMMAND...    the process gets this signal just before the n-th call is done
 *   nth_call FOLDER REPORT MICROSECONDS after NUMBER COMMAND...   it gets this signal after a time; nothing is traced
 *
 * A change is a system call that makes, writes, renames, empties or removes something below the folder, or waits for the disk.
 * The calls of all threads and of all processes that the command starts are counted, in the order in which they are seen.
 * REPORT gets one line: the call and the path that it was done to, or `none` and how many there were if that is fewer than n. The exit code, or the
 * signal, is the command's.
 *
 * By ptrace, because a library that is loaded first (LD_PRELOAD) sees only calls that go through libc, and ours do not all. */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <linux/ptrace.h>

static const char *folder;
static size_t folder_length;

static void die(const char *what) {
    fprintf(stderr, "nth_call: %s: %s\n", what, strerror(errno));
    exit(125);
}

/* How a call names what it changes. */
enum place { BY_DESCRIPTOR, BY_PATH, BY_PATH_AT };

struct call {
    long number;
    const char *name;
    enum place place;
    /* The argument that has the descriptor or the path; of BY_PATH_AT the folder's descriptor is the one before. */
    int argument;
    /* The argument with the flags of an open, or -1: it counts only if it may write. */
    int flags;
};

static const struct call CALLS[] = {
    {SYS_write, "write", BY_DESCRIPTOR, 0, -1},
    {SYS_pwrite64, "pwrite", BY_DESCRIPTOR, 0, -1},
    {SYS_writev, "writev", BY_DESCRIPTOR, 0, -1},
    {SYS_pwritev, "pwritev", BY_DESCRIPTOR, 0, -1},
    {SYS_fsync, "fsync", BY_DESCRIPTOR, 0, -1},
    {SYS_fdatasync, "fdatasync", BY_DESCRIPTOR, 0, -1},
    {SYS_ftruncate, "ftruncate", BY_DESCRIPTOR, 0, -1},
    {SYS_fallocate, "fallocate", BY_DESCRIPTOR, 0, -1},
    {SYS_copy_file_range, "copy_file_range", BY_DESCRIPTOR, 2, -1},
    {SYS_sendfile, "sendfile", BY_DESCRIPTOR, 0, -1},
    {SYS_fchmod, "fchmod", BY_DESCRIPTOR, 0, -1},
    {SYS_fchown, "fchown", BY_DESCRIPTOR, 0, -1},
    {SYS_fsetxattr, "fsetxattr", BY_DESCRIPTOR, 0, -1},
    {SYS_flock, "flock", BY_DESCRIPTOR, 0, -1},
    {SYS_openat, "openat", BY_PATH_AT, 1, 2},
    {SYS_renameat, "renameat", BY_PATH_AT, 1, -1},
    {SYS_renameat2, "renameat2", BY_PATH_AT, 1, -1},
    {SYS_mkdirat, "mkdirat", BY_PATH_AT, 1, -1},
    {SYS_unlinkat, "unlinkat", BY_PATH_AT, 1, -1},
    {SYS_symlinkat, "symlinkat", BY_PATH_AT, 2, -1},
    {SYS_linkat, "linkat", BY_PATH_AT, 3, -1},
    {SYS_fchmodat, "fchmodat", BY_PATH_AT, 1, -1},
    {SYS_fchownat, "fchownat", BY_PATH_AT, 1, -1},
#ifdef SYS_open
    {SYS_open, "open", BY_PATH, 0, 1},
    {SYS_rename, "rename", BY_PATH, 0, -1},
    {SYS_mkdir, "mkdir", BY_PATH, 0, -1},
    {SYS_rmdir, "rmdir", BY_PATH, 0, -1},
    {SYS_unlink, "unlink", BY_PATH, 0, -1},
    {SYS_symlink, "symlink", BY_PATH, 1, -1},
    {SYS_link, "link", BY_PATH, 1, -1},
    {SYS_chmod, "chmod", BY_PATH, 0, -1},
    {SYS_chown, "chown", BY_PATH, 0, -1},
#endif
};

static int read_link_of(pid_t thread, const char *what, char *out) {
    char link[64];
    snprintf(link, sizeof link, "/proc/%d/%s", thread, what);
    ssize_t length = readlink(link, out, PATH_MAX - 1);
    if (length < 0) return 0;
    out[length] = 0;
    return 1;
}

/* A text of the traced process; what cannot be read is empty. */
static void read_text(pid_t thread, uint64_t address, char *out, size_t most) {
    size_t done = 0;
    while (done + 1 < most) {
        /* Up to the end of a page: the next one may not be there. */
        size_t step = 4096 - (address + done) % 4096;
        if (step > most - 1 - done) step = most - 1 - done;
        struct iovec here = {out + done, step}, there = {(void *)(uintptr_t)(address + done), step};
        ssize_t got = process_vm_readv(thread, &here, 1, &there, 1, 0);
        if (got <= 0) break;
        void *end = memchr(out + done, 0, (size_t)got);
        done += (size_t)got;
        if (end) return;
    }
    out[done] = 0;
}

/* What a call changes; false for a call that changes nothing below the folder. */
static int changes(pid_t thread, const struct ptrace_syscall_info *info, const char **name, char *path) {
    const struct call *call = NULL;
    for (size_t i = 0; i < sizeof CALLS / sizeof *CALLS; i++)
        if ((uint64_t)CALLS[i].number == info->entry.nr) call = &CALLS[i];
    if (!call) return 0;
    const __u64 *arguments = info->entry.args;
    if (call->flags >= 0 && !(arguments[call->flags] & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC))) return 0;
    char what[32] = "cwd";
    if (call->place == BY_DESCRIPTOR) snprintf(what, sizeof what, "fd/%d", (int)arguments[call->argument]);
    if (call->place == BY_PATH_AT && (int)arguments[call->argument - 1] != AT_FDCWD)
        snprintf(what, sizeof what, "fd/%d", (int)arguments[call->argument - 1]);
    char text[PATH_MAX] = "";
    if (call->place != BY_DESCRIPTOR) read_text(thread, arguments[call->argument], text, sizeof text);
    if (text[0] == '/') {
        snprintf(path, PATH_MAX, "%s", text);
    } else {
        char base[PATH_MAX];
        if (!read_link_of(thread, what, base)) return 0;
        snprintf(path, PATH_MAX, text[0] ? "%.2000s/%.2000s" : "%.2000s%.2000s", base, text);
    }
    *name = call->name;
    return strncmp(path, folder, folder_length) == 0;
}

/* Makes the call that a thread is about to do one that does not exist. */
static void skip_call(pid_t thread) {
#if defined(__x86_64__)
    struct user_regs_struct registers;
    if (ptrace(PTRACE_GETREGS, thread, 0, &registers)) die("cannot read registers");
    registers.orig_rax = (unsigned long long)-1;
    if (ptrace(PTRACE_SETREGS, thread, 0, &registers)) die("cannot set registers");
#elif defined(__aarch64__)
    int number = -1;
    struct iovec part = {&number, sizeof number};
    if (ptrace(PTRACE_SETREGSET, thread, NT_ARM_SYSTEM_CALL, &part)) die("cannot set the call");
#else
#error "how a system call is skipped on this machine is not known here"
#endif
}

static void set_result(pid_t thread, long value) {
#if defined(__x86_64__)
    struct user_regs_struct registers;
    if (ptrace(PTRACE_GETREGS, thread, 0, &registers)) die("cannot read registers");
    registers.rax = (unsigned long long)value;
    if (ptrace(PTRACE_SETREGS, thread, 0, &registers)) die("cannot set registers");
#elif defined(__aarch64__)
    struct user_regs_struct registers;
    struct iovec all = {&registers, sizeof registers};
    if (ptrace(PTRACE_GETREGSET, thread, NT_PRSTATUS, &all)) die("cannot read registers");
    registers.regs[0] = (unsigned long long)value;
    if (ptrace(PTRACE_SETREGSET, thread, NT_PRSTATUS, &all)) die("cannot set registers");
#endif
}

/* Ends as the command did. */
static void end_as(int status) {
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        raise(WTERMSIG(status));
    }
    exit(WIFEXITED(status) ? WEXITSTATUS(status) : 126);
}

static void report(const char *file, const char *line, const char *path) {
    FILE *out = fopen(file, "w");
    if (!out || fprintf(out, "%s %s\n", line, path) < 0 || fclose(out)) die("cannot write the report");
}

/* Whoever is started in the background ignores SIGINT, and so would the command: its signals are as in a terminal. */
static void start(char **command) {
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    execvp(command[0], command);
    die(command[0]);
}

static void send_after(long microseconds, int number, char **command) {
    if (prctl(PR_SET_CHILD_SUBREAPER, 1)) die("cannot adopt");
    pid_t child = fork();
    if (child < 0) die("cannot fork");
    if (child == 0) start(command);
    struct timespec time = {microseconds / 1000000, microseconds % 1000000 * 1000};
    nanosleep(&time, NULL);
    /* Not waited for yet, so the number is still its. */
    kill(child, number);
    int status, last = 0;
    /* Also for the processes that it started: they end a moment later. */
    for (pid_t ended; (ended = waitpid(-1, &status, 0)) > 0;)
        if (ended == child) last = status;
    end_as(last);
}

int main(int count, char **words) {
    if (count < 7) {
        fprintf(stderr, "nth_call FOLDER REPORT N error|signal|after NUMBER COMMAND...\n");
        return 125;
    }
    folder = words[1];
    folder_length = strlen(folder);
    long wanted = atol(words[3]);
    int is_error = strcmp(words[4], "error") == 0, number = atoi(words[5]);
    char **command = words + 6;
    if (strcmp(words[4], "after") == 0) send_after(wanted, number, command);

    pid_t child = fork();
    if (child < 0) die("cannot fork");
    if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        raise(SIGSTOP);
        start(command);
    }
    int status;
    if (waitpid(child, &status, 0) < 0 || !WIFSTOPPED(status)) die("cannot trace");
    long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK;
    if (ptrace(PTRACE_SETOPTIONS, child, 0, options | PTRACE_O_TRACEEXEC)) die("cannot trace");
    ptrace(PTRACE_SYSCALL, child, 0, 0);

    long seen = 0;
    pid_t failing = 0;
    int last = 0, is_over = 0;
    for (;;) {
        pid_t thread = waitpid(-1, &status, __WALL);
        if (thread < 0) break;
        if (WIFEXITED(status) || WIFSIGNALED(status)) {
            if (thread == child) last = status, is_over = 1;
            continue;
        }
        int stop = WSTOPSIG(status), deliver = 0;
        if (stop == (SIGTRAP | 0x80)) {
            struct ptrace_syscall_info info;
            if (ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof info, &info) > 0) {
                char path[PATH_MAX] = "";
                const char *name = "";
                if (info.op == PTRACE_SYSCALL_INFO_ENTRY && seen < wanted && changes(thread, &info, &name, path)) {
                    if (++seen == wanted) {
                        report(words[2], name, path);
                        if (is_error) {
                            skip_call(thread);
                            failing = thread;
                        } else {
                            kill(child, number);
                        }
                    }
                } else if (info.op == PTRACE_SYSCALL_INFO_EXIT && failing == thread) {
                    set_result(thread, -(long)number);
                    failing = 0;
                }
            }
        } else if (stop != SIGTRAP && stop != SIGSTOP) {
            deliver = stop;
        }
        ptrace(PTRACE_SYSCALL, thread, 0, deliver);
    }
    if (!is_over) die("the command has gone");
    if (seen < wanted) {
        char all[32];
        snprintf(all, sizeof all, "%ld", seen);
        report(words[2], "none", all);
    }
    end_as(last);
}
