// A menu of less frequent actions, behind three dots.
import { ActionIcon, type ActionIconProps, Menu, type MenuProps } from '@mantine/core'
import { Ellipsis } from 'lucide-react'

interface MoreMenuProps extends MenuProps {
  /** The name of the button. */
  label?: string
  button?: ActionIconProps & Record<`data-${string}`, boolean>
  /** Size of the icon in pixels. */
  icon?: number
}

export function MoreMenu({ label = 'More actions', button, icon = 16, children, ...menu }: MoreMenuProps) {
  return (
    <Menu {...menu}>
      <Menu.Target>
        <ActionIcon aria-label={label} {...button}>
          <Ellipsis size={icon} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
