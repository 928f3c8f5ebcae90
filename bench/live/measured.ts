// The context that each part of the bench receives.
import type { Context } from '../../server/context.ts'
import type { BenchOptions } from '../harness/bench.ts'
import type { Lab } from '../harness/lab.ts'
import type { Service } from '../harness/service.ts'
import type { Sessions } from './sessions.ts'

export interface Measured {
  lab: Lab
  service: Service
  ctx: Context
  sessions: Sessions
  options: BenchOptions
}
