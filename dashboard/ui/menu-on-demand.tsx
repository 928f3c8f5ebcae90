// A menu that is created when its button is first pressed: for pages with many cards, each with a menu.
import { Menu, type MenuProps } from '@mantine/core'
import {
  cloneElement,
  type ReactElement,
  type ReactNode,
  type Ref,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'

interface ButtonProps {
  ref?: Ref<HTMLButtonElement>
  onClick?(): void
  'aria-haspopup'?: 'menu'
  'aria-expanded'?: boolean
}

interface MenuOnDemandProps extends Omit<MenuProps, 'opened' | 'onChange' | 'children'> {
  /** The button. */
  target: ReactElement<ButtonProps>
  /** The dropdown. */
  children(): ReactNode
}

export function MenuOnDemand({ target, children, ...menu }: MenuOnDemandProps) {
  const [isMade, setMade] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  // The button is now another element. It must have the focus before the menu opens, because the menu returns the focus
  // to it.
  useLayoutEffect(() => {
    if (!isMade) return
    button.current?.focus({ preventScroll: true })
    setOpen(true)
  }, [isMade])
  if (!isMade)
    return cloneElement(target, {
      'aria-haspopup': 'menu',
      'aria-expanded': false,
      onClick: () => setMade(true),
    })
  return (
    <Menu {...menu} opened={isOpen} onChange={setOpen}>
      <Menu.Target>{cloneElement(target, { ref: button })}</Menu.Target>
      {children()}
    </Menu>
  )
}
