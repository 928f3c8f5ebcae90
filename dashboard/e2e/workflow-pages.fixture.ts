// Helpers for tests of workflow pages: an organization with an owner, and locators.
import type { Locator, Page } from 'playwright-core'
import type { Workflow } from '../../contract/workflows.ts'
import type { SharedService } from '../../server/test/shared-service.ts'
import { addWorkflow, THANKS } from './workflows.fixture.ts'

export async function setUp(service: SharedService) {
  const org = await service.org({ name: 'Initech' })
  const owner = await org.member('owner')
  const base = `/o/org-${org.id}`
  const list = async () => (await owner.get<{ workflows: Workflow[] }>('/workflows')).body.workflows
  const pageOf = ({ id }: Workflow) => `${base}/workflows/${id}`
  const thanks = () => addWorkflow(owner, { name: 'Big deal won', definition: THANKS })
  return { org, owner, base, list, pageOf, thanks }
}

export const button = (page: Page | Locator, name: string | RegExp) => page.getByRole('button', { name })
export const row = (page: Page, name: string | RegExp) => page.getByRole('row', { name })
export const runs = (page: Page) => page.getByRole('table', { name: 'Runs, newest first' })
export const steps = (page: Page) => page.getByRole('region', { name: 'Steps' })
export const pane = (page: Page) => page.getByRole('complementary', { name: 'Step' })
export const dialogOf = (page: Page) => page.getByRole('dialog')
export const searchOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)
