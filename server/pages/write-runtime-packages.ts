// Reduces package.json and package-lock.json of the current folder to the packages that the service needs. The
// Dockerfile runs it before `npm ci`.
import { readFileSync, writeFileSync } from 'node:fs'
import { type Lock, type PackageManifest, runtimeFiles } from './runtime-packages.ts'

const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))
const write = (path: string, value: unknown) => writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)

const { manifest, lock } = runtimeFiles(
  read('package.json') as PackageManifest,
  read('package-lock.json') as Lock,
)
write('package.json', manifest)
write('package-lock.json', lock)
