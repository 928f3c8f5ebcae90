// A menu that is made when its button is first pressed: where there is one in each of many cards.
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
  // The button is another element then. It has the focus before the menu opens, and gets it back afterwards.
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
