// A Vitest reporter: writes the result of each file as JSON, for run-vitest.ts.
import { writeFileSync } from 'node:fs'
import type { Reporter, SerializedError, TestCase, TestModule, TestSuite } from 'vitest/node'
import { failure } from './failures.ts'
import { TEST_SEED } from './seed.ts'
import { START_TIME } from './start-time.ts'

export interface FileResult {
  /** The absolute path. */
  path: string
  project: string
  passed: number
  /** Failures in words, including those of loading, of hooks and of code outside the tests. */
  failures: string[]
  durationMs: number
}

export interface Report {
  files: FileResult[]
  /** Errors that belong to no file. */
  errors: string[]
}

/** The environment variable with the path of the report. */
export const REPORT_FILE = 'RAPPORT_TEST_REPORT'

const fileOf = (error: SerializedError): unknown => error['VITEST_TEST_PATH']

const failedTest = (path: string, test: TestCase) =>
  failure(`${path} > ${test.fullName}`, test.result().errors ?? [])

function failuresOf(module: TestModule, thrown: readonly SerializedError[]): string[] {
  const path = module.relativeModuleId
  const tests = [...module.children.allTests('failed')].map((test) => failedTest(path, test))
  const suites: (TestModule | TestSuite)[] = [module, ...module.children.allSuites()]
  const errors = [...suites.flatMap((suite) => suite.errors()), ...thrown]
  if (errors.length > 0) return [...tests, failure(path, errors)]
  return tests.length > 0 || module.state() === 'passed' || module.state() === 'skipped'
    ? tests
    : [failure(path, [{ message: `It ended as ${module.state()}.` }])]
}

const resultOf = (module: TestModule, thrown: readonly SerializedError[]): FileResult => ({
  path: module.moduleId,
  project: module.project.name,
  passed: [...module.children.allTests('passed')].length,
  failures: failuresOf(module, thrown),
  durationMs: module.diagnostic().duration,
})

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
    const thrownIn = Map.groupBy(unhandled, fileOf)
    const known = new Set<unknown>(modules.map(({ moduleId }) => moduleId))
    const report: Report = {
      files: modules.map((module) => resultOf(module, thrownIn.get(module.moduleId) ?? [])),
      errors: unhandled
        .filter((error) => !known.has(fileOf(error)))
        .map((error) => failure('outside the tests', [error])),
    }
    writeFileSync(path, JSON.stringify(report))
  }
}
