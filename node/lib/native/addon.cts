import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as AddonFailure from './addon_failure.cjs';
import * as addons from './addon_targets.cjs';
import { builtFile, fileThere, packageOf, targetsHere, type Failure, type Target } from './addon_targets.cjs';

/** The function that every addon has. */
interface Versioned {
  version(): string;
}

/**
 * Loads the addon that was built in this checkout, or the addon of an installed package.
 *
 * @throws Error that names the expected file, the loader's message, the cause and the remedy
 */
export function loadAddon<Native extends Versioned>(): Native {
  const failures: Failure[] = [];
  for (const target of targetsHere()) {
    const addon = tried(target, failures);
    if (addon) return addon as Native;
  }
  throw (require('./addon_failure.cjs') as typeof AddonFailure).explained(failures, addons);
}

function tried(target: Target, failures: Failure[]): Versioned | undefined {
  const file = fileThere(target);
  try {
    if (file !== undefined) refuseCut(file);
    // A built addon is loaded by a separate `require`, so that bundlers do not look for it.
    if (file === builtFile(target)) return checked(createRequire(__filename)(file));
    // Each package has its own call inside `try`: so bundlers see which packages a program may need, and that they may be missing.
    switch (target) {
      case 'linux-x64-gnu':
        return checked(require('ag-ui-native-linux-x64-gnu'));
      case 'linux-x64-musl':
        return checked(require('ag-ui-native-linux-x64-musl'));
      case 'linux-arm64-gnu':
        return checked(require('ag-ui-native-linux-arm64-gnu'));
      case 'linux-arm64-musl':
        return checked(require('ag-ui-native-linux-arm64-musl'));
      case 'darwin-x64':
        return checked(require('ag-ui-native-darwin-x64'));
      case 'darwin-arm64':
        return checked(require('ag-ui-native-darwin-arm64'));
      case 'win32-x64-msvc':
        return checked(require('ag-ui-native-win32-x64-msvc'));
      case 'win32-arm64-msvc':
        return checked(require('ag-ui-native-win32-arm64-msvc'));
    }
  } catch (error) {
    failures.push({ place: file ?? packageOf(target), error });
    return undefined;
  }
}

/** Refuses an ELF file that is truncated: reading its missing pages would end the process. */
function refuseCut(file: string): void {
  if (process.platform !== 'linux' || !existsSync(file)) return;
  const open = openSync(file, 'r');
  try {
    const head = new DataView(new ArrayBuffer(64));
    readSync(open, head);
    if (head.getUint32(0) !== ELF) return;
    // The section table is the end of the file. The header has its offset, the size of an entry, and the number of entries.
    const whole = Number(head.getBigUint64(0x28, true)) + head.getUint16(0x3a, true) * head.getUint16(0x3c, true);
    if (whole > 0 && readSync(open, new Uint8Array(1), 0, 1, whole - 1) === 0) throw new Error(`It has ${fstatSync(open).size} bytes of ${whole}.`);
  } finally {
    closeSync(open);
  }
}

/** The magic number of ELF files. */
const ELF = 0x7f454c46;

function checked(addon: Versioned): Versioned {
  const { version } = require('../../package.json') as { version: string };
  if (addon.version() === version) return addon;
  throw Object.assign(new Error(`It is of version ${addon.version()}, ag-ui-native of ${version}.`), { code: 'ERR_AGUI_ADDON_VERSION' });
}
