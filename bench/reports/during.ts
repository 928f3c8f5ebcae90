// How much running reports slow requests.
import { compare, type Row } from '../harness/figures.ts'
import type { Lab } from '../harness/lab.ts'
import { startLoadGenerator } from '../harness/load.ts'
import type { RequestParams } from './requests.ts'
import { startReports } from './running.ts'

/** The p99 may rise by less than 30 %. */
const TARGET = 0.77
/** Few enough to leave CPU time free: at full load, all activities slow each other. */
const CONNECTIONS = 8
/**
 * Other load on the machine changes within seconds. Short rounds without and with reports alternate, so that it affects
 * both equally, and the median of many rounds is reported.
 */
const ROUND_SECONDS = 1
const PAIRS_PER_ROUND = 4

interface Latencies {
  p50: number[]
  p99: number[]
}

const rowsOf = (baseline: Latencies, loaded: Latencies): Row[] =>
  (['p50', 'p99'] as const).map((which) =>
    compare({
      case: `${which} of GET one record without reports, by that during reports`,
      unit: 'ms',
      ours: baseline[which],
      limit: loaded[which],
      ...(which === 'p99' && { target: TARGET }),
    }),
  )

/** @param report runs one report to its end */
export async function requestsDuringReports(
  lab: Lab,
  { url, ...params }: RequestParams & { url: string },
  { rounds, report }: { rounds: number; report: () => Promise<unknown> },
): Promise<Row[]> {
  const generator = await startLoadGenerator(lab, {
    module: new URL('./requests.ts', import.meta.url),
    params,
  })
  const run = () => generator.run({ url, connections: CONNECTIONS, seconds: ROUND_SECONDS, stream: 'get' })
  const baseline: Latencies = { p50: [], p99: [] }
  const loaded: Latencies = { p50: [], p99: [] }
  let count = 0
  const measure = async ({ p50, p99 }: Latencies) => {
    const { p50Ms, p99Ms } = await run()
    p50.push(p50Ms)
    p99.push(p99Ms)
  }
  const withReports = async () => {
    const reports = startReports(report)
    await measure(loaded)
    count += await reports.stop()
  }
  const both = [() => measure(baseline), withReports]
  await run()
  // Alternates which side is first.
  for (let pair = 0; pair < rounds * PAIRS_PER_ROUND; pair++)
    for (const one of pair % 2 === 0 ? both : both.toReversed()) await one()
  lab.tell(`${baseline.p99.length} rounds each, without reports and during ${count}`)
  return rowsOf(baseline, loaded)
}
