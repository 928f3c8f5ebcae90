// Before each test file: the clock and the random numbers of tests.
import fc from 'fast-check'
import { inject } from 'vitest'
import { moveDate } from './start-time.ts'

moveDate(inject('clockOffsetMs'))
fc.configureGlobal({ seed: inject('seed') })
