/** The product is not started on Windows itself: process signals, sockets and file links differ there. */
export const windowsSentence = 'Windows：请用 Docker Desktop 或 WSL 2（见 README）'
