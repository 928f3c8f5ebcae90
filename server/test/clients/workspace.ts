// A folder with clients that are generated from the API document, as users of the API have.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { OpenApiDocument } from '../../http/openapi/document.ts'

const run = promisify(execFile)
const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url))
const TYPESCRIPT_HOOK = new URL('./typescript-6.mjs', import.meta.url).href
const { resolve } = createRequire(import.meta.url)

const TSCONFIG = {
  compilerOptions: {
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'],
    module: 'nodenext',
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    erasableSyntaxOnly: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ['*.ts'],
}

export interface Workspace {
  folder: string
  write(file: string, text: string | Buffer): Promise<void>
  /** @returns the output of the program */
  node(args: readonly string[], env?: Record<string, string>): Promise<string>
  /** @returns the errors of the compiler for all files; empty if there are none */
  compile(): Promise<string>
  remove(): Promise<void>
}

export async function createWorkspace(): Promise<Workspace> {
  const folder = await mkdtemp(join(tmpdir(), 'rapport-clients-'))
  await symlink(MODULES, join(folder, 'node_modules'))
  const write = (file: string, text: string | Buffer) => writeFile(join(folder, file), text)
  await write('tsconfig.json', JSON.stringify(TSCONFIG))
  await write('package.json', '{"type":"module"}')
  return {
    folder,
    write,
    async node(args, env = {}) {
      const { stdout } = await run(process.execPath, args, {
        cwd: folder,
        // Turns off telemetry and update notices, and keeps files out of the home folder.
        env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', HOME: folder, ...env },
      })
      return stdout
    },
    async compile() {
      try {
        await run(process.execPath, [join(MODULES, 'typescript/bin/tsc'), '--project', folder])
        return ''
      } catch (error) {
        return String((error as { stdout?: unknown }).stdout ?? error)
      }
    },
    remove: () => rm(folder, { recursive: true }),
  }
}

/** Generates rapport.ts with openapi-typescript and rapport-client.ts with Redocly CLI. */
export async function generateClients({ node, write }: Workspace, document: OpenApiDocument): Promise<void> {
  await write('openapi.json', JSON.stringify(document))
  const openapiTypescript = join(MODULES, 'openapi-typescript/bin/cli.js')
  const redocly = resolve('@redocly/cli/bin/cli.js')
  await Promise.all([
    node(['--import', TYPESCRIPT_HOOK, openapiTypescript, 'openapi.json', '--output', 'rapport.ts']),
    node([redocly, 'generate-client', 'openapi.json', '--output', 'rapport-client.ts', '--import-ext', 'ts']),
  ])
}
