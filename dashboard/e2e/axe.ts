// Accessibility of a page as axe sees it.
import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Reading its script takes longer than a look at most pages: once for each document. */
async function loadAxe(page: Page): Promise<void> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe.source)
}

const RUN = `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
  nodes.map(({ target, failureSummary }) => id + ': ' + target.join(' ') + '\\n' + failureSummary)))`

/** What axe finds wrong with the page as it stands, told so that one can find it. */
export async function axeViolations(page: Page): Promise<string[]> {
  await loadAxe(page)
  return page.evaluate<string[]>(RUN)
}
