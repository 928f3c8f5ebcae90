// What a gallery of templates consists of: one to choose, and the way back to all of them.
import { Anchor, UnstyledButton } from '@mantine/core'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'

interface GalleryButtonProps {
  icon: ReactNode
  title: string
  texts: readonly string[]
  onClick(): void
}

export function GalleryButton({ icon, title, texts, onClick }: GalleryButtonProps) {
  return (
    <UnstyledButton className="flex gap-12 box hoverable" w="100%" h="100%" fz="sm" onClick={onClick}>
      {icon}
      <span className="stack shrink">
        <strong>{title}</strong>
        {texts.map((text) => (
          <span key={text} className="muted tiny">
            {text}
          </span>
        ))}
      </span>
    </UnstyledButton>
  )
}

export function BackToGallery({ onClick }: { onClick(): void }) {
  return (
    <Anchor component="button" type="button" onClick={onClick} className="inline gap-4" mr="auto">
      <ArrowLeft size={14} aria-hidden />
      All templates
    </Anchor>
  )
}
