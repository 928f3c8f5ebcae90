// A newer version of the service, made from this one: a copy of the checkout with further migrations.
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { readMigrations } from '../../db/migration-files.ts'
import { NEXT_WRITER } from '../../db/next-version.fixture.ts'
import { WRITER } from '../../db/writer.ts'
import { CHILD_ENVIRONMENT } from '../child-environment.ts'
import { root } from '../imports.ts'
import { temporaryFolder } from '../temporary-folder.ts'

/** `dashboard/index.html` is not included, so that the pages are not built again. */
const COPIED = [
  'cli',
  'contract',
  'dashboard/dist',
  'docs/guide',
  'migrations',
  'package.json',
  'samples',
  'server',
]

export interface NextVersion {
  /** The command that starts it, in place of `node server/main.ts`. */
  command: readonly string[]
  names: readonly string[]
  /** Runs a command of this version. @returns its output */
  rapport(args: readonly string[], env: Record<string, string>): Promise<string>
  /** Applies the migrations, as the job of the chart does. @returns the names of applied migrations */
  migrate(env: Record<string, string>): Promise<string[]>
}

async function copyCheckout(): Promise<string> {
  const folder = await temporaryFolder()
  for (const path of COPIED) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await cp(join(root, path), join(folder, path), { recursive: true })
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** Raises WRITER, as a real change with such a migration does. */
function raiseWriter(folder: string): void {
  const file = join(folder, 'server/db/writer.ts')
  const before = readFileSync(file, 'utf8')
  const after = before.replace(`WRITER = ${WRITER}\n`, `WRITER = ${NEXT_WRITER}\n`)
  if (after === before) throw new Error(`${file} does not say WRITER = ${WRITER}`)
  writeFileSync(file, after)
}

/** @param migrations the texts of additional migrations */
export async function makeNextVersion(
  migrations: readonly string[],
  { raisesWriter }: { raisesWriter: boolean },
): Promise<NextVersion> {
  const folder = await copyCheckout()
  const last = (await readMigrations()).at(-1)?.version ?? 0
  const names = migrations.map((_, place) => `${String(last + 1 + place).padStart(4, '0')}-next.sql`)
  for (const [place, name] of names.entries())
    await writeFile(join(folder, 'migrations', name), migrations[place] ?? '')
  if (raisesWriter) raiseWriter(folder)
  const rapport: NextVersion['rapport'] = async (args, env) => {
    const program = join(folder, 'cli/main.ts')
    const options = { env: { ...CHILD_ENVIRONMENT, ...env } }
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], options)
    return stdout
  }
  return {
    command: [process.execPath, join(folder, 'server/main.ts')],
    names,
    rapport,
    migrate: async (env) =>
      (JSON.parse(await rapport(['migrate', '--json'], env)) as { applied: string[] }).applied,
  }
}
