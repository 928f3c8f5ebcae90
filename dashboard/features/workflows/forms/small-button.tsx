import { ActionIcon } from '@mantine/core'
import type { LucideIcon } from 'lucide-react'

interface SmallButtonProps {
  icon: LucideIcon
  label: string
  disabled?: boolean
  /** 24 next to a field below its label, 4 next to one without a label. */
  mt?: 4 | 24
  onClick(): void
}

/** An icon whose name is its tooltip. */
export const SmallButton = ({ icon: Icon, label, ...button }: SmallButtonProps) => (
  <ActionIcon aria-label={label} title={label} {...button}>
    <Icon size={14} aria-hidden />
  </ActionIcon>
)
