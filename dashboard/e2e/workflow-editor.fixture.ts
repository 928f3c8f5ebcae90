// Helpers for tests of the workflow editor: a workflow to edit, and locators.
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { DefinitionDetail } from '../../contract/workflow-dashboard.ts'
import type { Workflow, WorkflowDefinition } from '../../contract/workflows.ts'
import type { SharedService } from '../../server/test/shared-service.ts'
import { setUp as begin, button, pane, steps } from './workflow-pages.fixture.ts'

export const HALT: WorkflowDefinition = {
  trigger: 'manual',
  steps: [{ key: 'halt', type: 'stop', config: { message: 'Over' } }],
}

export async function setUpEditor(service: SharedService) {
  const made = await begin(service)
  const definitionOf = async (id: string) =>
    (await made.owner.get<DefinitionDetail>(`/workflows/${id}/definition`)).body
  const edit = async (page: Page, workflow: Workflow) => {
    await page.goto(`${made.pageOf(workflow)}/edit`)
    await steps(page).waitFor()
  }
  return { ...made, definitionOf, edit }
}
export type Made = Awaited<ReturnType<typeof setUpEditor>>

/** A step or the trigger, whose name begins its text. */
export const node = (page: Page, name: string) =>
  steps(page).getByRole('button', { name: new RegExp(`^${name}`) })
export const focused = (page: Page) =>
  page.evaluate<string | null>(
    `document.activeElement?.getAttribute('data-node') ?? document.activeElement?.getAttribute('data-stop')`,
  )
/** A field of the panel. A star marks required fields. */
export const field = (page: Page, name: string) =>
  pane(page)
    .getByLabel(new RegExp(`^${name}( \\*)?$`))
    .first()
export const isSaved = (page: Page) =>
  expect.poll(() => button(page, 'Save').getAttribute('aria-disabled')).toBe('true')
