// bench workflows: rates of steps and runs, the delay until they begin, and the time until they continue after a crash.
import { type Bench, type BenchOptions, chosen, profileFlags } from '../harness/bench.ts'
import type { Row } from '../harness/figures.ts'
import type { Lab } from '../harness/lab.ts'
import { attach, startService } from '../harness/service.ts'
import { measureLatency } from './latency.ts'
import { measureResume } from './resume.ts'
import { type Measured, measureThroughput } from './throughput.ts'

/** Measures with a separate service; `role` decides whether it has a worker. */
async function measureCase(
  lab: Lab,
  options: BenchOptions,
  { role, measure }: (typeof CASES)[number],
): Promise<Row[]> {
  const env = { EGRESS_ALLOW_PRIVATE: 'true', ROLE: role }
  const service = await startService(lab, { flags: profileFlags(options, 'service'), env })
  const { ctx, close } = await attach(lab, service)
  try {
    return await measure(lab, { ctx, service, options } satisfies Measured)
  } finally {
    await close()
    await service.child.stop()
  }
}

const CASES = [
  { name: 'throughput', role: 'all', measure: measureThroughput },
  { name: 'latency', role: 'all', measure: measureLatency },
  { name: 'resume', role: 'api', measure: measureResume },
] as const

async function run(lab: Lab, options: BenchOptions): Promise<Row[]> {
  const rows: Row[] = []
  for (const one of chosen(CASES, options.only)) {
    lab.tell(`${one.name} …`)
    rows.push(...(await measureCase(lab, options, one)))
  }
  return rows
}

export const workflowsBench: Bench = {
  name: 'workflows',
  summary:
    'steps and runs compared with the same statements without an engine, their delay, and what a crash costs',
  run,
}
