// Settings of a select attribute's options, by mouse, by keyboard and on a phone.
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Attribute } from '../../contract/attributes.ts'
import { axeViolationsInBothSchemes } from './axe.ts'
import { openSharedDashboard } from './open-dashboard.ts'
import { keepNotes } from './steps.fixture.ts'

const dashboard = await openSharedDashboard()

const button = (page: Page | Locator, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true })

async function setUp() {
  const { org, owner } = await dashboard.organization('owner')
  const stages = ['Lead', 'Lead', 'Won', 'Lost']
  for (const stage of stages) await owner.post('/objects/deals/records', { data: { name: stage, stage } })
  const config = async () => {
    const { body } = await owner.get<{ attributes: Attribute[] }>('/objects/deals/attributes')
    return body.attributes.find(({ slug }) => slug === 'stage')?.config
  }
  const values = async () => {
    const { body } = await owner.get<{ records: { data: { stage?: string } }[] }>(
      '/objects/deals/records?order=asc',
    )
    return body.records.map(({ data }) => data.stage)
  }
  return { org, owner, address: `/o/org-${org.id}/settings/objects/deals?panel=stage`, config, values }
}

const field = (panel: Locator, option: string) => panel.getByRole('textbox', { name: `Option ${option}` })

async function drag(page: Page, from: Locator, to: Locator) {
  await from.hover()
  await page.mouse.down()
  const box = await to.boundingBox()
  if (!box) throw new Error('There is nothing to drag to')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 10 })
  await page.mouse.up()
}

describe('options of a select attribute', () => {
  test('are renamed, colored, moved and merged by mouse, and records show the change', async () => {
    const { org, owner, address, config, values } = await setUp()
    const page = await dashboard.open(address, owner)
    const panel = page.getByRole('dialog')
    await panel.getByText('2 records', { exact: true }).waitFor()
    await field(panel, 'Lead').fill('New')
    await button(panel, 'Color of New: indigo').click()
    await page.getByRole('menuitem', { name: 'pink' }).click()
    await drag(page, button(panel, 'Move Won'), field(panel, 'Lead'))
    await panel.getByText('Won is now at place 1 of 5').waitFor({ state: 'attached' })
    const instead = panel.getByRole('combobox', { name: '1 record has Lost. Give instead' })
    // The drag library treats a click directly after the drop as the end of the drag.
    await expect
      .poll(async () => {
        if (!(await instead.isVisible()))
          await button(panel, 'Remove Lost')
            .click({ timeout: 1000 })
            .catch(() => undefined)
        return instead.isVisible()
      })
      .toBe(true)
    await instead.click()
    await page.getByRole('option', { name: 'Won' }).click()
    expect(await axeViolationsInBothSchemes(page)).toEqual([])
    await button(panel, 'Save changes').click()
    await panel.waitFor({ state: 'detached' })
    expect(await config()).toMatchObject({
      options: ['Won', 'New', 'Qualified', 'Proposal'],
      colors: { New: 'pink' },
      aliases: { Lead: 'New', Lost: 'Won' },
    })
    expect(await values()).toEqual(['New', 'New', 'Won', 'Won'])
    await page.goto(`/o/org-${org.id}/objects/deals`)
    const chip = page.getByRole('grid').getByText('New', { exact: true }).first()
    await chip.waitFor()
    await expect.poll(() => chip.getAttribute('style')).toContain('--tint-6')
  })

  test('Undo restores options that were renamed and merged, and those of records', async () => {
    const { org, owner, address, config, values } = await setUp()
    const page = await dashboard.open(address, owner)
    const before = await config()
    const panel = page.getByRole('dialog')
    await panel.getByText('2 records', { exact: true }).waitFor()
    await field(panel, 'Lead').fill('New')
    await button(panel, 'Remove Lost').click()
    await panel.getByRole('combobox', { name: '1 record has Lost. Give instead' }).click()
    await page.getByRole('option', { name: 'Won' }).click()
    await button(panel, 'Save changes').click()
    await panel.waitFor({ state: 'detached' })
    await expect.poll(values).toEqual(['New', 'New', 'Won', 'Won'])
    const offer = page.getByRole('alert').filter({ hasText: 'Options of Stage changed' })
    await button(offer, 'Undo').press('Enter')
    await page.getByText('Undone: options of Stage changed. 1 record restored').waitFor()
    expect(await values()).toEqual(['Lead', 'Lead', 'Won', 'Lost'])
    expect(await config()).toMatchObject({ options: (before as { options: string[] }).options })
    await page.goto(`/o/org-${org.id}/objects/deals`)
    await page.getByRole('grid').getByText('Lost', { exact: true }).first().waitFor()
  })

  test('an open panel follows an Undo, and two that are pressed quickly are undone one after the other', async () => {
    const { owner, address, config } = await setUp()
    const page = await dashboard.open(address, owner)
    await keepNotes(page)
    const before = (await config()) as { options: string[] }
    const panel = page.getByRole('dialog')
    const open = async () => {
      await page.getByRole('button', { name: /^Stage/ }).click()
      await panel.getByText('2 records', { exact: true }).waitFor()
    }
    const rename = async (from: string, to: string) => {
      await field(panel, from).fill(to)
      await button(panel, 'Save changes').click()
      await panel.waitFor({ state: 'detached' })
    }
    const undos = page
      .getByRole('alert')
      .filter({ hasText: 'Options of Stage changed', has: page.getByRole('button', { name: 'Undo' }) })
    await panel.getByText('2 records', { exact: true }).waitFor()
    await rename('Lead', 'New')
    await open()
    await button(undos, 'Undo').press('Enter')
    await page.getByText('Undone: options of Stage changed').waitFor()
    await field(panel, 'Lead').waitFor()
    await expect.poll(() => button(panel, 'Save changes').isDisabled()).toBe(true)

    await rename('Lead', 'New')
    await open()
    await rename('Qualified', 'Fit')
    await expect.poll(() => undos.count()).toBe(2)
    await button(undos.first(), 'Undo').press('Enter')
    await button(undos.first(), 'Undo').press('Enter')
    await expect.poll(() => page.getByText('Undone: options of Stage changed').count()).toBe(3)
    expect(await config()).toMatchObject({ options: before.options })
  })

  test('are moved and removed by keyboard, on a phone', async () => {
    const { owner, address, config, values } = await setUp()
    const page = await dashboard.visit(owner)
    await page.setViewportSize({ width: 375, height: 812 })
    await page.goto(address)
    const panel = page.getByRole('dialog')
    await panel.getByText('2 records', { exact: true }).waitFor()
    const handle = button(panel, 'Move Lead')
    await handle.press('ArrowDown')
    await panel.getByText('Lead is now at place 2 of 5').waitFor({ state: 'attached' })
    await button(panel, 'Remove Won').press('Enter')
    await panel.getByRole('combobox', { name: '1 record has Won. Give instead' }).waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375)
    expect(await axeViolationsInBothSchemes(page)).toEqual([])
    await button(panel, 'Save changes').press('Enter')
    await panel.waitFor({ state: 'detached' })
    expect(await config()).toMatchObject({ options: ['Qualified', 'Lead', 'Proposal', 'Lost'] })
    expect(await values()).toEqual(['Lead', 'Lead', undefined, 'Lost'])
  })
})
