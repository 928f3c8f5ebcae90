// The theme of all pages: no page defines its own look. The interface page "Tokens" documents it.
import { createTheme, type MantineColorsTuple } from '@mantine/core'
import { ONE_OF_MANY, SOME_OF_MANY } from './picker-keys.ts'

const indigo: MantineColorsTuple = [
  '#eef0ff',
  '#dee2fb',
  '#bcc4f4',
  '#98a3ec',
  '#7a87e5',
  '#6272e0',
  '#4f60d8',
  '#4150c4',
  '#3947b0',
  '#2f3b9a',
]

const gray: MantineColorsTuple = [
  '#fafafa',
  '#f4f4f5',
  '#ececee',
  '#dededf',
  '#c6c6ca',
  '#a3a3a9',
  '#76767e',
  '#5c5c63',
  '#3b3b41',
  '#212126',
]

const dark: MantineColorsTuple = [
  '#d5d5da',
  '#b3b3ba',
  '#9a9aa3',
  '#6d6d76',
  '#46464d',
  '#36363c',
  '#27272c',
  '#1b1b1f',
  '#151518',
  '#0f0f12',
]

const SYSTEM =
  'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'

/** The header of a dialog is not a banner landmark of the page. */
const NO_BANNER = { header: { role: 'none' } }

const DIALOG_TITLE = { title: { fontSize: '14px', fontWeight: 600 } }

/** The list itself scrolls. A scrolling box around it would need the focus. */
const OPTIONS = { withScrollArea: false, styles: { options: { maxHeight: '220px', overflowY: 'auto' } } }

export const theme = createTheme({
  colors: { indigo, gray, dark },
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  fontFamily: SYSTEM,
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.4' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  radius: { xs: '3px', sm: '4px', md: '6px', lg: '8px', xl: '12px' },
  defaultRadius: 'md',
  fontWeights: { regular: '400', medium: '500', bold: '600' },
  headings: {
    fontFamily: SYSTEM,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '1.3' },
      h2: { fontSize: '16px', lineHeight: '1.35' },
      h3: { fontSize: '14px', lineHeight: '1.4' },
    },
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // In a landmark of index.html, so that screen readers find floating elements by their region.
    Portal: { defaultProps: { target: '#floating' } },
    Button: { defaultProps: { size: 'xs', fw: 500 } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 'md' } },
    InputWrapper: { styles: { label: { fontWeight: 400 } } },
    TextInput: { defaultProps: { size: 'sm' } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    NumberInput: { defaultProps: { size: 'sm', hideControls: true } },
    Textarea: { defaultProps: { size: 'sm', autosize: true, minRows: 2 } },
    Select: { defaultProps: { size: 'sm', checkIconPosition: 'right', ...OPTIONS, ...ONE_OF_MANY } },
    MultiSelect: { defaultProps: { size: 'sm', checkIconPosition: 'right', ...OPTIONS, ...SOME_OF_MANY } },
    TagsInput: { defaultProps: { size: 'sm' } },
    Checkbox: { defaultProps: { size: 'sm' } },
    Switch: { defaultProps: { size: 'sm' } },
    SegmentedControl: { defaultProps: { size: 'xs' } },
    Tabs: { defaultProps: { variant: 'default' } },
    Text: { defaultProps: { size: 'sm' } },
    Anchor: { defaultProps: { size: 'sm', underline: 'hover' } },
    Menu: {
      defaultProps: {
        shadow: 'md',
        position: 'bottom-end',
        transitionProps: { duration: 120 },
        // The focus must go to the first item. The placeholder is not a menu item.
        withInitialFocusPlaceholder: false,
      },
    },
    Popover: { defaultProps: { shadow: 'md', transitionProps: { duration: 120 } } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Tooltip: { defaultProps: { openDelay: 400, transitionProps: { duration: 120 }, withArrow: false } },
    Modal: {
      defaultProps: {
        centered: true,
        transitionProps: { duration: 140 },
        closeButtonProps: { 'aria-label': 'Close' },
        attributes: NO_BANNER,
        styles: DIALOG_TITLE,
      },
    },
    Drawer: {
      defaultProps: {
        transitionProps: { duration: 160 },
        closeButtonProps: { 'aria-label': 'Close' },
        attributes: NO_BANNER,
        styles: DIALOG_TITLE,
      },
    },
    // A light overlay, so that the page stays readable below dialogs and drawers.
    Overlay: { defaultProps: { backgroundOpacity: 0.22 } },
    Skeleton: { defaultProps: { radius: 'sm' } },
  },
})
