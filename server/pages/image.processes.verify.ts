// Lays out the container image as a folder: the files that the Dockerfile copies and does not remove are enough to run
// the service with the embedded PostgreSQL, the pages and the command line.
import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { addressOf, embeddedEnv, startService } from '../entry/service-process.fixture.ts'
import { CHILD_ENVIRONMENT } from '../test/child-environment.ts'
import { root } from '../test/imports.ts'
import { temporaryFolder } from '../test/temporary-folder.ts'
import { type Lock, type PackageManifest, runtimeFiles } from './runtime-packages.ts'

const read = (file: string) => readFileSync(join(root, file), 'utf8')

async function copy(path: string, image: string): Promise<void> {
  if (!existsSync(join(root, path))) return
  await mkdir(dirname(join(image, path)), { recursive: true })
  await promisify(execFile)('cp', ['-a', join(root, path), join(image, path)])
}

/** Folders of the packages at the top level; they contain the folders of nested packages. */
function packageFolders(): string[] {
  const { lock } = runtimeFiles(
    JSON.parse(read('package.json')) as PackageManifest,
    JSON.parse(read('package-lock.json')) as Lock,
  )
  return Object.keys(lock.packages).filter((folder) => folder.split('node_modules/').length === 2)
}

async function layOutImage(): Promise<string> {
  const image = await temporaryFolder()
  const copied = read('Dockerfile').matchAll(/^COPY (?:--from=build \/app\/)?([\w/]+) \1$/gm)
  const paths = [...copied].map(([, path = '']) => path)
  expect(paths).toEqual(expect.arrayContaining(['dashboard/dist', 'docs/guide', 'migrations', 'server']))
  for (const path of [...paths, 'package.json', 'node_modules/.bin/node', ...packageFolders()])
    await copy(path, image)
  return image
}

/** Without the command strip, the test runs with unstripped binaries. */
const WITHOUT_STRIP = 'command -v strip >/dev/null || strip() { :; }'

/** Removes the same files from the packages as the Dockerfile. */
async function removeUnused(image: string): Promise<void> {
  const [, command = ''] = /^RUN (cd node_modules (?:.*\\\n)*.*)$/m.exec(read('Dockerfile')) ?? []
  expect(command).toContain('-delete')
  await promisify(execFile)('sh', ['-ec', `${WITHOUT_STRIP}; ${command}`], { cwd: image })
  const left = (pattern: string) => globSync(`node_modules/**/${pattern}`, { cwd: image })
  for (const pattern of ['*.map', '*.d.ts', 'README.md', 'test/']) expect(left(pattern)).toEqual([])
  expect(left('{LICENSE,LICENSE.md}').length).toBeGreaterThan(50)
}

test('the service, its pages and its command line run from the files of the image', async () => {
  const image = await layOutImage()
  await removeUnused(image)
  expect(existsSync(join(image, 'dashboard/index.html'))).toBe(false)
  const node = join(image, 'node_modules/.bin/node')
  const env = { ...(await embeddedEnv()), NODE_ENV: 'production' }
  const service = startService(env, [node, join(image, 'server/main.ts')])
  const address = await addressOf(service)
  await expect.poll(async () => (await fetch(`${address}/readyz`)).status).toBe(200)
  const page = await fetch(address, { headers: { accept: 'text/html' } })
  expect({ status: page.status, text: await page.text() }).toMatchObject({
    status: 200,
    text: expect.stringContaining('/assets/'),
  })
  for (const path of ['/docs', '/docs/scalar.js', '/api/v1/openapi.json'])
    expect((await fetch(`${address}${path}`)).status, path).toBe(200)
  const { stdout } = await promisify(execFile)(join(image, 'cli/rapport.js'), ['org', 'list', '--json'], {
    env: { ...CHILD_ENVIRONMENT, ...env },
  })
  expect(JSON.parse(stdout)).toEqual([])
  expect(service.errors()).not.toContain('could not be built')
})
