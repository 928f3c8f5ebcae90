import { ActionIcon } from '@mantine/core'
import type { LucideIcon } from 'lucide-react'

interface SmallButtonProps {
  icon: LucideIcon
  label: string
  disabled?: boolean
  /** Margin: 24 next to a field with a label, 4 next to a field without one. */
  mt?: 4 | 24
  onClick(): void
}

/** An icon button with its label as tooltip. */
export const SmallButton = ({ icon: Icon, label, ...button }: SmallButtonProps) => (
  <ActionIcon aria-label={label} title={label} {...button}>
    <Icon size={14} aria-hidden />
  </ActionIcon>
)
