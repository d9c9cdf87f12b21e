import { constants } from 'node:os';

/**
 * The program that the kernel runs before each system call of a sandboxed process (classic BPF, linux/seccomp.h). It
 * refuses what no build or test needs and what has helped others to get out of namespaces.
 */

/** The numbers differ by architecture. Source: asm/unistd_64.h, asm-generic/unistd.h. */
interface SystemCalls {
  /** AUDIT_ARCH_… of linux/audit.h. */
  readonly architecture: number;
  /** Numbers from here on belong to another convention of the same architecture (x32). */
  readonly foreignFrom?: number;
  readonly refused: readonly number[];
  readonly clone: number;
  readonly clone3: number;
  readonly ioctl: number;
  readonly socket: number;
  readonly socketpair: number;
  readonly shmget: number;
}

/**
 * bpf, io_uring (setup, enter, register), userfaultfd, perf_event_open, keyctl, add_key, request_key, mount, umount2,
 * pivot_root, open_tree, move_mount, fsopen, fsconfig, fsmount, fspick, mount_setattr, unshare, setns,
 * open_by_handle_at, process_vm_readv, process_vm_writev, pidfd_getfd, kexec_load, kexec_file_load, init_module,
 * finit_module, delete_module, quotactl, swapon, swapoff, reboot, acct, syslog, settimeofday, clock_settime,
 * open_tree_attr, memfd_secret, in this order.
 */
const CALLS: Readonly<Partial<Record<NodeJS.Architecture, SystemCalls>>> = {
  x64: {
    architecture: 0xc000003e,
    foreignFrom: 0x40000000,
    refused: [
      321, 425, 426, 427, 323, 298, 250, 248, 249, 165, 166, 155, 428, 429, 430, 431, 432, 433, 442, 272, 308, 304, 310,
      311, 438, 246, 320, 175, 313, 176, 179, 167, 168, 169, 163, 103, 164, 227, 467, 447,
    ],
    clone: 56,
    clone3: 435,
    ioctl: 16,
    socket: 41,
    socketpair: 53,
    shmget: 29,
  },
  arm64: {
    architecture: 0xc00000b7,
    refused: [
      280, 425, 426, 427, 282, 241, 219, 217, 218, 40, 39, 41, 428, 429, 430, 431, 432, 433, 442, 97, 268, 265, 270,
      271, 438, 104, 294, 105, 273, 106, 60, 224, 225, 142, 89, 116, 170, 112, 467, 447,
    ],
    clone: 220,
    clone3: 435,
    ioctl: 29,
    socket: 198,
    socketpair: 199,
    shmget: 194,
  },
};

/** Where struct seccomp_data has the number, the architecture and the low half of the first two arguments, and the high half. */
const NUMBER_AT = 0;
const ARCHITECTURE_AT = 4;
const FIRST_AT = 16;
const SECOND_AT = 24;
const SECOND_HIGH_AT = 28;

const LOAD = 0x20;
const AND = 0x54;
const IF_EQUAL = 0x15;
const IF_AT_LEAST = 0x35;
const IF_ANY_BIT = 0x45;
const RETURN = 0x06;

const ALLOW = 0x7fff0000;
const KILL_PROCESS = 0x80000000;
const REFUSE = 0x00050000;

const CLONE_NEWUSER = 0x10000000;
/** TIOCSTI types on the terminal, TIOCLINUX pastes there. */
const TYPING = [0x5412, 0x541c];
/**
 * AF_INET, AF_INET6 and AF_NETLINK, of which the sandbox has its own. A socket of AF_UNIX could reach a service of this
 * computer by a path in a root, and one of AF_VSOCK a machine around it.
 */
const FAMILIES = [2, 10, 16];
/**
 * SOCK_STREAM and SOCK_SEQPACKET, which stay connected to each other. One of a pair of SOCK_DGRAM can still send to a
 * path, and so can one of SOCK_RAW, which is another name for it (unix_create of net/unix/af_unix.c).
 */
const PAIRS = [1, 5];
const TYPE_BITS = 0xf;
/**
 * Memory of this kind belongs to no process, so nobody can count it, and there may be 4096 pieces. PostgreSQL takes 56
 * bytes.
 */
const MOST_SHARED_BYTES = 64 * 1024;

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

/** The filter as the kernel takes it. Throws if the system calls of the architecture aren't known here. */
export function seccompFilter(architecture: NodeJS.Architecture): Uint8Array {
  const calls = CALLS[architecture];
  if (calls === undefined) throw new Error(`the system calls of ${architecture} are not known`);
  const { EPERM, ENOSYS, ENOMEM, EAFNOSUPPORT } = constants.errno;
  const program: Instruction[] = [
    [LOAD, 0, 0, ARCHITECTURE_AT],
    [IF_EQUAL, 1, 0, calls.architecture],
    [RETURN, 0, 0, KILL_PROCESS],
    [LOAD, 0, 0, NUMBER_AT],
    ...(calls.foreignFrom === undefined ? [] : only(IF_AT_LEAST, calls.foreignFrom, [returning(REFUSE | ENOSYS)])),
    ...calls.refused.flatMap((number) => only(IF_EQUAL, number, [returning(REFUSE | EPERM)])),
    // Its arguments are in memory, where they can't be judged. The C library then uses clone.
    ...only(IF_EQUAL, calls.clone3, [returning(REFUSE | ENOSYS)]),
    ...only(IF_EQUAL, calls.clone, [
      [LOAD, 0, 0, FIRST_AT],
      ...only(IF_ANY_BIT, CLONE_NEWUSER, [returning(REFUSE | EPERM)]),
      returning(ALLOW),
    ]),
    ...only(IF_EQUAL, calls.ioctl, [
      [LOAD, 0, 0, SECOND_AT],
      ...TYPING.flatMap((request) => only(IF_EQUAL, request, [returning(REFUSE | EPERM)])),
      returning(ALLOW),
    ]),
    ...only(IF_EQUAL, calls.socket, [
      [LOAD, 0, 0, FIRST_AT],
      ...FAMILIES.flatMap((family) => only(IF_EQUAL, family, [returning(ALLOW)])),
      returning(REFUSE | EAFNOSUPPORT),
    ]),
    ...only(IF_EQUAL, calls.socketpair, [
      [LOAD, 0, 0, SECOND_AT],
      [AND, 0, 0, TYPE_BITS],
      ...PAIRS.flatMap((type) => only(IF_EQUAL, type, [returning(ALLOW)])),
      returning(REFUSE | EAFNOSUPPORT),
    ]),
    ...only(IF_EQUAL, calls.shmget, [
      [LOAD, 0, 0, SECOND_HIGH_AT],
      ...only(IF_AT_LEAST, 1, [returning(REFUSE | ENOMEM)]),
      [LOAD, 0, 0, SECOND_AT],
      ...only(IF_AT_LEAST, MOST_SHARED_BYTES + 1, [returning(REFUSE | ENOMEM)]),
      returning(ALLOW),
    ]),
    returning(ALLOW),
  ];
  return encoded(program);
}

/** These instructions, if the condition holds. */
function only(condition: number, value: number, then: readonly Instruction[]): readonly Instruction[] {
  return [[condition, 0, then.length, value], ...then];
}

function returning(value: number): Instruction {
  return [RETURN, 0, 0, value];
}

/** As an array of struct sock_filter. Both architectures are little-endian. */
function encoded(program: readonly Instruction[]): Uint8Array {
  const INSTRUCTION_BYTES = 8;
  const bytes = new DataView(new ArrayBuffer(program.length * INSTRUCTION_BYTES));
  program.forEach(([code, ifTrue, ifFalse, value], index) => {
    const at = index * INSTRUCTION_BYTES;
    bytes.setUint16(at, code, true);
    bytes.setUint8(at + 2, ifTrue);
    bytes.setUint8(at + 3, ifFalse);
    bytes.setUint32(at + 4, value >>> 0, true);
  });
  return new Uint8Array(bytes.buffer);
}
