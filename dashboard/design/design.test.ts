import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const DASHBOARD = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(`${DASHBOARD}${path}`, 'utf8')

/** Files of ui/ that the component page does not show, each with the reason. */
const NOT_SHOWN: Readonly<Record<string, string>> = {
  'ui/ask-before-closing.tsx': 'panels and dialogs ask with it',
  'ui/color-scheme-items.tsx': 'items of the menu of an account, which keeps the choice',
  'ui/crumbs.tsx': 'the way to a page: its links lead to pages',
  'ui/dialog-box.tsx': 'what Dialog loads',
  'ui/later.tsx': 'loads other components',
  'ui/menu-on-demand.tsx': 'a menu whose items are loaded when it is opened',
  'ui/picture-button.tsx': 'asks for a file, which it sends',
  'ui/plain-frame.tsx': 'a whole page',
  'ui/side-panel-box.tsx': 'what SidePanel loads',
  'ui/use-open-text.tsx': 'a hook',
  'ui/use-picker.tsx': 'a hook',
}

test('the component page shows every component of ui/', () => {
  const components = globSync('ui/**/*.tsx', { cwd: DASHBOARD })
  const design = globSync('design/*.tsx', { cwd: DASHBOARD }).map(read).join('\n')
  const missing = components.filter((path) => !design.includes(`'../${path}'`))
  expect(missing.toSorted()).toEqual(Object.keys(NOT_SHOWN).toSorted())
})
