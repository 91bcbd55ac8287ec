/** What the addon is built for: platform, processor and, where there are several, libc. */
const targets = ['linux-x64-gnu', 'linux-arm64-gnu', 'linux-x64-musl', 'darwin-x64', 'darwin-arm64', 'win32-x64-msvc'];

/** What every addon says of itself. */
interface Versioned {
  version(): string;
}

/**
 * Loads the addon: a file beside this package's folder of code, or a package of its own.
 *
 * @throws Error that says what was expected and what the loader said
 */
export function loadAddon<Native extends Versioned>(): Native {
  const platform = `${process.platform}-${process.arch}`;
  const said: unknown[] = [];
  for (const target of targetsOf(platform)) {
    for (const place of [fileOf(target), packageOf(target)]) {
      try {
        return checked(require(place) as Native, place);
      } catch (error) {
        if (!isMissing(error, place)) said.push(error);
      }
    }
  }
  throw explained(platform, said);
}

const targetsOf = (platform: string) => targets.filter((target) => target === platform || target.startsWith(`${platform}-`));
const fileOf = (target: string) => `../ag-ui-native.${target}.node`;
const packageOf = (target: string) => `ag-ui-native-${target}`;

function checked<Native extends Versioned>(addon: Native, place: string): Native {
  const { version } = require('../package.json') as { version: string };
  if (addon.version() === version) return addon;
  throw new Error(`${place} is of version ${addon.version()}, the package of ${version}`);
}

function isMissing(error: any, place: string): boolean {
  return error?.code === 'MODULE_NOT_FOUND' && String(error.message).includes(place);
}

function explained(platform: string, said: unknown[]): Error {
  const libc = process.platform === 'linux' ? libcName() : '';
  const host = `${process.platform} ${process.arch}${libc && ` with ${libc}`}`;
  const fitting = targetsOf(platform).filter((target) => !/-(gnu|musl)$/.test(target) || !libc.startsWith(target.endsWith('gnu') ? 'musl' : 'glibc'));
  const lines = [`ag-ui-native cannot load its addon on ${host}.`];
  if (fitting.length === 0) lines.push(`There is none for it; there are addons for ${targets.join(', ')}.`);
  for (const target of fitting) {
    lines.push(`Expected: ${require('node:path').join(__dirname, fileOf(target))}, or the package ${packageOf(target)}.`);
  }
  if (said.length === 0 && fitting.length > 0) lines.push('Neither is there: install again, on this platform and with optional dependencies.');
  for (const error of said) lines.push(`The loader says: ${error instanceof Error ? error.message : String(error)}`);
  const error = new Error(lines.join('\n'), said.length > 0 ? { cause: said[0] } : undefined);
  return Object.assign(error, { code: 'ERR_AGUI_ADDON' });
}

/** The C library of this process, with its version if that can be known. */
function libcName(): string {
  const report = process.report?.getReport() as { header?: { glibcVersionRuntime?: string }; sharedObjects?: string[] } | undefined;
  const version = report?.header?.glibcVersionRuntime;
  if (version) return `glibc ${version}`;
  return report?.sharedObjects?.some((name) => name.includes('musl')) ? 'musl' : 'an unknown libc';
}
