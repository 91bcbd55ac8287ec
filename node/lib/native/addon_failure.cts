import { existsSync, statSync } from 'node:fs';
import type * as Addons from './addon_targets.cjs';
import type { Failure, Target } from './addon_targets.cjs';

type Reason = readonly [cause: string, cure: string];

/**
 * Returns the error that explains to users of this package why the addon cannot be loaded, and the remedy.
 *
 * `addons` is a parameter, not an import: in the packed package its file is not loaded completely when this one is loaded.
 */
export function explained(failures: Failure[], addons: typeof Addons): Error {
  const libc = process.platform === 'linux' ? libcName() : '';
  const fitting = addons.targetsHere().filter((target) => !/-(gnu|musl)$/.test(target) || !libc.startsWith(target.endsWith('gnu') ? 'musl' : 'glibc'));
  const reported = failures.filter(({ error }) => !isNotFound(error));
  const [cause, cure] = reason(fitting, libc, reported, addons);
  const error = new Error(
    [
      `ag-ui-native cannot load its addon on ${process.platform} ${process.arch}${libc && ` with ${libc}`}.`,
      ...fitting.map((target) => `Expected: ${expected(target, addons)}`),
      ...reported.map(({ place, error }) => `The loader says of ${place}: ${error instanceof Error ? error.message : String(error)}`),
      `Cause: ${cause}`,
      `Cure: ${cure}`,
    ].join('\n'),
    reported.length > 0 ? { cause: reported[0]!.error } : undefined,
  );
  return Object.assign(error, { code: 'ERR_AGUI_ADDON' });
}

const isNotFound = (error: unknown) => /MODULE_NOT_FOUND$/.test(String((error as { code?: unknown } | null)?.code));

const expected = (target: Target, { fileOf, fileThere, packageOf }: typeof Addons) => fileThere(target) ?? `${fileOf(target)} of the package ${packageOf(target)}`;

function reason(fitting: Target[], libc: string, reported: Failure[], addons: typeof Addons): Reason {
  if (fitting.length === 0) {
    return [`There is no addon for it. There are addons for ${addons.targets.join(', ')}.`, 'Run it on one of these.'];
  }
  const file = fitting.map(addons.fileThere).find((file) => file !== undefined);
  if (file === undefined) return notInstalled(fitting, addons);
  const again = 'Remove node_modules and install again.';
  if (!existsSync(file)) {
    return ['The package is installed, but this file of it is missing.', `${again} If a step of your build leaves out files (*.node), let it keep this one.`];
  }
  const said = reported.map(({ error }) => String((error as Error | null)?.message)).join('\n');
  const needed = /GLIBC_([\d.]+)' not found/.exec(said)?.[1];
  if (needed) {
    return [`The addon needs glibc ${needed} or newer; this system has ${libc}.`, `Use a newer system or base image, with glibc ${needed} or newer.`];
  }
  if (reported.some(({ error }) => (error as { code?: unknown } | null)?.code === 'ERR_AGUI_ADDON_VERSION')) {
    return ['The package and its addon are of different versions.', again];
  }
  return [`The file, of ${statSync(file).size} bytes, is damaged, or not for this system.`, `${again} If that does not help, empty the package manager's cache first.`];
}

function notInstalled(fitting: Target[], { fileThere, packageOf, targets }: typeof Addons): Reason {
  const others = targets.filter((target) => !fitting.includes(target) && fileThere(target) !== undefined);
  if (others.length > 0) {
    return [
      `What was installed is for another system: ${others.map(packageOf).join(', ')}.`,
      'Install on the system that runs the program (in a container: in its image), in place of copying node_modules.',
    ];
  }
  return [
    `The package ${fitting.map(packageOf).join(' or ')} is not installed.`,
    'Install with optional dependencies (npm install --include=optional). If they are on, remove node_modules and the lock file, which may be of another system, and install again.',
  ];
}

/** Returns the name of this process's C library, with its version if the report has it. */
function libcName(): string {
  const { report } = process;
  // Without this, a report resolves the names of network peers, which is slow.
  if (report) Object.assign(report, { excludeNetwork: true });
  const { header, sharedObjects } = (report?.getReport() ?? {}) as { header?: { glibcVersionRuntime?: string }; sharedObjects?: string[] };
  if (header?.glibcVersionRuntime) return `glibc ${header.glibcVersionRuntime}`;
  return sharedObjects?.some((name) => name.includes('musl')) ? 'musl' : 'an unknown C library';
}
