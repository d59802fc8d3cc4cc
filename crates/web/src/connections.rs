//! Connections: how many there may be, and how long they may take to say what they want.

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// More at a time are not answered: each watching page has one, and nobody has so many pages.
const MOST_CONNECTIONS: usize = 512;
/// Who has not asked by then, or asks nothing more, is let go.
const HEAD_PATIENCE: Duration = Duration::from_secs(20);

/// Answers whoever comes, for ever.
pub async fn serve(listener: TcpListener, router: Router) -> std::io::Result<()> {
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    loop {
        let (stream, _) = match listener.accept().await {
            Ok(accepted) => accepted,
            // Whoever came is gone again, or there are no more files to be had just now.
            Err(_) => {
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        // Without a place the connection is closed at once.
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else { continue };
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let _place = place;
            let mut builder = http1::Builder::new();
            builder.timer(TokioTimer::new()).header_read_timeout(HEAD_PATIENCE).max_buf_size(64 * 1024);
            // That somebody hung up, or sent no request, is nobody's fault here.
            let _ = builder.serve_connection(TokioIo::new(stream), service).await;
        });
    }
}
