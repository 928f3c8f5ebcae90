// Before each test file: the clock and the random numbers of tests. After it: what its fixtures opened is closed.
import fc from 'fast-check'
import { afterAll, beforeAll, inject } from 'vitest'
import { file } from './after-file.ts'
import { moveDate } from './start-time.ts'

moveDate(inject('clockOffsetMs'))
fc.configureGlobal({ seed: inject('seed') })
file.collect()
beforeAll(file.run)
// The first that is added runs last.
afterAll(file.end)
