// Cleanup after the tests of a file. Vitest never runs a hook that a test or another hook adds, so an afterAll there
// would end nothing. `afterFile` works everywhere.

type Work = () => unknown

interface Endings {
  add(work: Work): void
  /** Runs all work in reverse order. @throws the errors, after all work has run */
  run(): Promise<void>
}

export function createEndings(): Endings {
  const works: Work[] = []
  return {
    add: (work) => void works.push(work),
    async run() {
      const errors: unknown[] = []
      for (const work of works.splice(0).reverse())
        try {
          await work()
        } catch (error) {
          errors.push(error)
        }
      if (errors.length > 1) throw new AggregateError(errors, errors.map(String).join('; '))
      if (errors.length === 1) throw errors[0]
    },
  }
}

const ofFile = createEndings()

/** Adds work that runs after the `afterAll` hooks of the file. */
export const afterFile = ofFile.add

let isCollecting = false

/** Called by setup.ts: when tests of a file are collected, when they run, and after them. */
export const file = {
  collect() {
    isCollecting = true
  },
  run() {
    isCollecting = false
  },
  end: ofFile.run,
}

/** For fixtures that add other hooks. @throws if Vitest would not run them */
export function requireCollection(): void {
  if (!isCollecting)
    throw new Error('call it at the top of the test file: hooks that a test or a hook adds never run')
}
