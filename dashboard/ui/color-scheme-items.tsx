import { type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core'
import { Monitor, Moon, Sun } from 'lucide-react'

const SCHEMES = [
  ['auto', 'System', Monitor],
  ['light', 'Light', Sun],
  ['dark', 'Dark', Moon],
] as const satisfies readonly (readonly [MantineColorScheme, string, typeof Sun])[]

/** Menu items that choose the color scheme. */
export function ColorSchemeItems() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return SCHEMES.map(([scheme, label, Icon]) => (
    <Menu.Item
      key={scheme}
      leftSection={<Icon size={14} aria-hidden />}
      aria-current={scheme === colorScheme}
      fw={scheme === colorScheme ? 600 : undefined}
      onClick={() => setColorScheme(scheme)}
    >
      {label}
    </Menu.Item>
  ))
}
