// Before each test file, sets the clock and the random seed. After it, closes what its fixtures opened.
import fc from 'fast-check'
import { afterAll, beforeAll, inject } from 'vitest'
import { file } from './after-file.ts'
import { moveDate } from './start-time.ts'

moveDate(inject('clockOffsetMs'))
fc.configureGlobal({ seed: inject('seed') })
file.collect()
beforeAll(file.run)
// The first `afterAll` hook runs last.
afterAll(file.end)
