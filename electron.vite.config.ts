import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'

export default defineConfig({
  main: {
    build: {
      target: 'node24',
      // externalizeDeps (default) keeps `dependencies` outside the bundle: that is better-sqlite3 alone
      sourcemap: true,
      rolldownOptions: {
        input: { index: 'src/main/app/index.ts', herma: 'src/cli/index.ts' },
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  },
  preload: {
    build: {
      externalizeDeps: false, // a sandboxed preload can require() only 'electron' and a few built-ins
      sourcemap: false,
      rolldownOptions: {
        input: { index: 'src/preload/index.ts' },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    // root (src/renderer), input (its index.html) and base ('./') are electron-vite's defaults
    plugins: [react(), tailwindcss()],
    worker: { format: 'es' },
    build: {
      target: 'chrome156',
      minify: true, // electron-vite's own default is false
      sourcemap: true,
    },
  },
})
