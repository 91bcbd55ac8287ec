import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * The targets that have an addon: platform, processor and, where there are several, C library. They equal `napi.targets` in
 * package.json.
 */
export const targets = [
  'linux-x64-gnu',
  'linux-x64-musl',
  'linux-arm64-gnu',
  'linux-arm64-musl',
  'darwin-x64',
  'darwin-arm64',
  'win32-x64-msvc',
  'win32-arm64-msvc',
] as const;

export type Target = (typeof targets)[number];

/** A failed attempt to load an addon. */
export interface Failure {
  /** The file or the package that was to be loaded. */
  place: string;
  error: unknown;
}

/** Returns the targets of this platform and processor. Trying each C library takes less time than detecting it. */
export const targetsHere = () => targets.filter((target) => `${target}-`.startsWith(`${process.platform}-${process.arch}-`));

export const packageOf = (target: Target) => `ag-ui-native-${target}`;

export const fileOf = (target: Target) => `ag-ui-native.${target}.node`;

/** Returns the file to which a build in a checkout writes the addon. */
export const builtFile = (target: Target) => join(__dirname, '../..', fileOf(target));

/** Returns the existing file of a target's addon: of a build, or of an installed package. */
export function fileThere(target: Target): string | undefined {
  if (existsSync(builtFile(target))) return builtFile(target);
  // Most package managers install it here, and checking takes less time than resolving the name.
  for (const path of module.paths ?? []) {
    const file = join(path, packageOf(target), fileOf(target));
    if (existsSync(file)) return file;
  }
  try {
    return join(dirname(createRequire(__filename).resolve(`${packageOf(target)}/package.json`)), fileOf(target));
  } catch {
    return undefined;
  }
}
