// Results of reports as files, for the dashboard.
import { reportDashboardRoutes } from '../../contract/report-administration.ts'
import { addRoute } from '../http/add-route.ts'
import { sendAttachment, sendCsv } from '../http/attachment.ts'
import type { App } from '../http/request.ts'
import { cutOffStalled } from '../http/unsent-answers.ts'
import { csvOf, xlsxOf } from './result-file.ts'
import { readResults } from './service.ts'

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

export function addReportDashboardRoutes(app: App): void {
  addRoute(
    app,
    reportDashboardRoutes.downloadReportResults,
    async ({ ctx, caller, params, query }, reply) => {
      const { name, results } = await readResults(ctx, caller.org, params)
      const fileName = `${name}.${query.format}`
      if (query.format === 'csv') {
        // The results stay in memory until the client has read them.
        cutOffStalled(reply.raw)
        return sendCsv(reply, { fileName, texts: csvOf(results) })
      }
      return sendAttachment(reply, { fileName, type: XLSX, content: await xlsxOf(results) })
    },
  )
}
