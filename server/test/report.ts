// A Vitest reporter: writes the result of each file as JSON, for run-vitest.ts.
import { writeFileSync } from 'node:fs'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'
import { TEST_SEED } from './seed.ts'
import { START_TIME } from './start-time.ts'

export interface FileResult {
  /** Absolute. */
  path: string
  project: string
  passed: number
  failed: number
  /** False too where it could not be loaded, a hook failed, or an error was thrown outside its tests. */
  ok: boolean
  durationMs: number
}

export interface Report {
  files: FileResult[]
  /** Messages of errors that belong to no file. */
  errors: string[]
}

/** The environment variable with the path of the report. */
export const REPORT_FILE = 'RAPPORT_TEST_REPORT'

function resultOf(module: TestModule, erroneous: ReadonlySet<unknown>): FileResult {
  const states = [...module.children.allTests()].map((test) => test.result().state)
  const failed = states.filter((state) => state === 'failed').length
  return {
    path: module.moduleId,
    project: module.project.name,
    passed: states.filter((state) => state === 'passed').length,
    failed,
    ok:
      failed === 0 &&
      !['failed', 'pending', 'queued'].includes(module.state()) &&
      !erroneous.has(module.moduleId),
    durationMs: module.diagnostic().duration,
  }
}

export default class FileReport implements Reporter {
  #sayHowToRepeat(): void {
    const given = [TEST_SEED, START_TIME].flatMap((name) => {
      const value = process.env[name]
      return value ? [`${name}=${value} `] : []
    })
    if (given.length > 0) process.stdout.write(`\nRepeat a file with: ${given.join('')}npm test -- <file>\n`)
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    if (modules.some((module) => !module.ok())) this.#sayHowToRepeat()
    const path = process.env[REPORT_FILE]
    if (path === undefined) return
    const fileOf = (error: SerializedError): unknown => error['VITEST_TEST_PATH']
    const erroneous = new Set(unhandled.map(fileOf))
    const known = new Set<unknown>(modules.map(({ moduleId }) => moduleId))
    const report: Report = {
      files: modules.map((module) => resultOf(module, erroneous)),
      errors: unhandled.filter((error) => !known.has(fileOf(error))).map(({ message }) => message),
    }
    writeFileSync(path, JSON.stringify(report))
  }
}
