// All shortcuts of the dashboard, for the list of shortcuts and for tooltips.

/** `mod` is ⌘ on Apple's keyboards, Ctrl on others. */
export interface Shortcut {
  keys: readonly string[]
  /** The effect of the shortcut. */
  does: string
}

export interface Section {
  title: string
  shortcuts: readonly Shortcut[]
}

export const SHORTCUTS: readonly Section[] = [
  {
    title: 'Anywhere',
    shortcuts: [
      { keys: ['mod', 'K'], does: 'Search and commands' },
      { keys: ['N'], does: 'Show notifications' },
      { keys: ['?'], does: 'Show this list' },
      { keys: ['Esc'], does: 'Close what is open' },
      { keys: ['mod', 'Enter'], does: 'Save the form' },
    ],
  },
  {
    title: 'Records',
    shortcuts: [
      { keys: ['mod', 'Z'], does: 'Undo the last change' },
      { keys: ['C'], does: 'Create' },
      { keys: ['F'], does: 'Filter' },
      { keys: ['/'], does: 'Quick search' },
    ],
  },
  {
    title: 'Table',
    shortcuts: [
      { keys: ['↑', '↓', '←', '→'], does: 'Go to another cell' },
      { keys: ['A–Z', '0–9'], does: 'Replace the value of the cell' },
      { keys: ['Enter'], does: 'Edit the value of the cell' },
      { keys: ['Tab'], does: 'Save and go on' },
      { keys: ['Del'], does: 'Clear the cells' },
      { keys: ['Shift', '↑', '↓'], does: 'Select a range' },
      { keys: ['mod', 'D'], does: 'Fill the first row of the range down' },
      { keys: ['mod', 'C'], does: 'Copy the cells' },
      { keys: ['mod', 'X'], does: 'Cut the cells' },
      { keys: ['mod', 'V'], does: 'Paste cells' },
      { keys: ['Space'], does: 'Select the row, or check the box' },
      { keys: ['Esc'], does: 'Leave the cell: letters are shortcuts again' },
    ],
  },
  {
    title: 'Board',
    shortcuts: [
      { keys: ['↑', '↓', '←', '→'], does: 'Go to another card' },
      { keys: ['Space'], does: 'Pick a card up, and drop it' },
      { keys: ['←', '→'], does: 'Choose its column' },
      { keys: ['Esc'], does: 'Leave it where it was' },
    ],
  },
  {
    title: 'Workflows',
    shortcuts: [
      { keys: ['C'], does: 'Create' },
      { keys: ['E'], does: 'Edit the workflow' },
      { keys: ['R'], does: 'Run the workflow' },
      { keys: ['F'], does: 'Filter its runs' },
    ],
  },
  {
    title: 'Reports',
    shortcuts: [
      { keys: ['C'], does: 'Create' },
      { keys: ['/'], does: 'Quick search' },
      { keys: ['R'], does: 'Run the report' },
      { keys: ['E'], does: 'Edit the report' },
    ],
  },
  {
    title: 'Dashboards of reports',
    shortcuts: [
      { keys: ['C'], does: 'Create' },
      { keys: ['mod', 'Z'], does: 'Undo' },
    ],
  },
  {
    title: 'Record',
    shortcuts: [
      { keys: ['J'], does: 'Next record' },
      { keys: ['K'], does: 'Previous record' },
      { keys: ['E'], does: 'Edit' },
    ],
  },
  {
    title: 'Editor of workflows',
    shortcuts: [
      { keys: ['↑', '↓', '←', '→'], does: 'Go to another step' },
      { keys: ['Enter'], does: 'Edit the step' },
      { keys: ['A'], does: 'Add a step after it' },
      { keys: ['T'], does: 'Test up to it' },
      { keys: ['Alt', '↑', '↓', '←', '→'], does: 'Move the step' },
      { keys: ['mod', 'D'], does: 'Duplicate the step' },
      { keys: ['Del'], does: 'Delete the step' },
      { keys: ['mod', 'Z'], does: 'Undo' },
      { keys: ['mod', 'Shift', 'Z'], does: 'Redo' },
      { keys: ['mod', 'S'], does: 'Save' },
    ],
  },
  {
    title: 'Builder of reports',
    shortcuts: [
      { keys: ['Enter'], does: 'Change a part, or use a field' },
      { keys: ['Alt', '←', '→'], does: 'Move the part' },
      { keys: ['Del'], does: 'Remove the part' },
      { keys: ['mod', 'Z'], does: 'Undo' },
      { keys: ['mod', 'Shift', 'Z'], does: 'Redo' },
      { keys: ['mod', 'S'], does: 'Save' },
    ],
  },
  {
    title: 'Webhooks',
    shortcuts: [
      { keys: ['C'], does: 'Add an endpoint' },
      { keys: ['E'], does: 'Edit the endpoint' },
    ],
  },
  {
    title: 'Deliveries of webhooks',
    shortcuts: [
      { keys: ['J'], does: 'Next delivery' },
      { keys: ['K'], does: 'Previous delivery' },
      { keys: ['R'], does: 'Replay' },
      { keys: ['F'], does: 'Filter' },
    ],
  },
]

/** The shortcuts of the webhook portal, which has no search. */
export const PORTAL_SHORTCUTS: readonly Section[] = [
  {
    title: 'Anywhere',
    shortcuts: [
      { keys: ['?'], does: 'Show this list' },
      { keys: ['Esc'], does: 'Close what is open' },
      { keys: ['mod', 'Enter'], does: 'Save the form' },
    ],
  },
  ...SHORTCUTS.filter(({ title }) => /webhooks/i.test(title)),
]

export const isApple = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent)

const APPLE_KEYS: Readonly<Record<string, string>> = { mod: '⌘', Alt: '⌥', Shift: '⇧' }
const OTHER_KEYS: Readonly<Record<string, string>> = { mod: 'Ctrl' }

/** The name of a key on this keyboard. */
export const keyName = (key: string, apple = isApple()): string =>
  (apple ? APPLE_KEYS : OTHER_KEYS)[key] ?? key

/** The text for tooltips: "⌘K", "Ctrl+K". */
export const keysText = ({ keys }: Pick<Shortcut, 'keys'>, apple = isApple()): string =>
  keys.map((key) => keyName(key, apple)).join(apple ? '' : '+')
