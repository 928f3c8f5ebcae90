// Shows the progress of a long command on standard error.
import cliProgress from 'cli-progress'
import { formatCount } from '../contract/counted.ts'

export interface ProgressLine {
  /** @param done the part of the total, in the unit of the bar @param records the number of records */
  update(done: number, records?: number): void
  stop(): void
}

const SILENT: ProgressLine = { update: () => undefined, stop: () => undefined }

/** Shows a bar if standard error is a terminal, otherwise nothing. @param total in the unit of `done` */
export function showProgress(verb: string, total: number, unit: 'records' | 'MB' = 'records'): ProgressLine {
  if (!process.stderr.isTTY || total === 0) return SILENT
  const startedAt = performance.now()
  const line = (done: number, records: number) => {
    const perSecond = Math.round(records / Math.max(0.001, (performance.now() - startedAt) / 1000))
    const share = Math.min(1, done / total)
    const left = share > 0 ? ((performance.now() - startedAt) / 1000) * (1 / share - 1) : 0
    return { records: formatCount(records), rate: formatCount(perSecond), left: Math.ceil(left) }
  }
  const bar = new cliProgress.SingleBar({
    stream: process.stderr,
    clearOnComplete: true,
    hideCursor: true,
    format: `${verb} [{bar}] {percentage} % | {records} ${unit} | {rate}/s | {left} s left`,
  })
  bar.start(total, 0, line(0, 0))
  return {
    update: (done, records = done) => bar.update(Math.min(done, total), line(done, records)),
    stop: () => bar.stop(),
  }
}
