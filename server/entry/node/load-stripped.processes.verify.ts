// Stored modules without types, in a small checkout. Node strips no types there, so only stored modules run.
import { execFile } from 'node:child_process'
import { cp, mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../test/temporary-folder.ts'

const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url))
const COPIED = [
  'server/entry/node/load-stripped.js',
  'server/pages/stripped-sources.ts',
  'server/pages/file-stamps.ts',
]
const MODULE = 'server/greeting.ts'

const execute = promisify(execFile)
const root = await temporaryFolder('stripped')

const path = (name: string) => join(root, name)
const write = (greeting: string) =>
  writeFile(
    path(MODULE),
    `import { mark } from './mark.js'\nimport { say } from './voice/say.ts'\nconst text: string = '${greeting}'\nsay(text + mark)\n`,
  )

/** A file that is not TypeScript is not stored. Two folders have a file with this name. */
const NOT_STORED = 'mark.js'
const SAY = `import { mark } from './${NOT_STORED}'\nexport const say = (text: string): void => console.log(text + mark)\n`

const store = () =>
  execute(process.execPath, [
    '-e',
    `import('${path('server/pages/stripped-sources.ts')}').then((m) => m.storeStrippedSources())`,
  ])

async function runStored(): Promise<string> {
  const flags = ['--no-strip-types', `--import=${path('server/entry/node/load-stripped.js')}`]
  const { stdout } = await execute(process.execPath, [...flags, path(MODULE)])
  return stdout.trim()
}

beforeAll(async () => {
  await mkdir(path('node_modules'))
  await mkdir(path('server/voice'), { recursive: true })
  await writeFile(path('package.json'), '{"type":"module"}')
  await writeFile(path('server/voice/say.ts'), SAY)
  await writeFile(path(`server/${NOT_STORED}`), "export const mark = ','\n")
  await writeFile(path(`server/voice/${NOT_STORED}`), "export const mark = '.'\n")
  for (const file of COPIED) await cp(join(CHECKOUT, file), path(file))
})

test('a stored module runs, also after the time of its file has changed', async () => {
  await write('hello')
  await expect(runStored()).rejects.toThrow(/ERR_UNKNOWN_FILE_EXTENSION/)
  await store()
  expect(await runStored()).toBe('hello,.')
  await utimes(path(MODULE), new Date(), new Date('2026-06-10T12:00:00Z'))
  expect(await runStored()).toBe('hello,.')
})

test('an edited module is left to the compiler until it is stored again', async () => {
  await write('hello')
  await store()
  await write('good morning')
  await expect(runStored()).rejects.toThrow(/ERR_UNKNOWN_FILE_EXTENSION/)
  await store()
  expect(await runStored()).toBe('good morning,.')
})

test('an unreadable index is replaced', async () => {
  await write('hello')
  await store()
  await writeFile(path('node_modules/.cache/rapport/stripped.json'), '{"version":')
  await expect(runStored()).rejects.toThrow(/ERR_UNKNOWN_FILE_EXTENSION/)
  await store()
  expect(await runStored()).toBe('hello,.')
})
