// What is done after the tests of a file. Vitest never runs a hook that a test or another hook adds: what an afterAll
// should end then goes on. What is given to `afterFile` is always done.

type Work = () => unknown

interface Endings {
  add(work: Work): void
  /** Does all of it, the last first. @throws what failed, after everything was tried */
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

/** Before it the `afterAll` of the file itself are run. */
export const afterFile = ofFile.add

let isCollecting = false

/** For setup.ts: the tests of a file are collected, then they run, then all is ended. */
export const file = {
  collect() {
    isCollecting = true
  },
  run() {
    isCollecting = false
  },
  end: ofFile.run,
}

/** For fixtures that add other hooks. @throws when Vitest would never run them */
export function requireCollection(): void {
  if (!isCollecting)
    throw new Error('call it at the top of the test file: hooks that a test or a hook adds never run')
}
